import {
  type AccountDeletion, type AllAccountsUsage, type Clock, isStoreLost, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE,
  MILLISECONDS_PER_SECOND, type OperatorControls, type PersonRecords, type PlatformState, SYSTEM_ACTOR,
} from '@tollgate/core';
import type { Logger } from 'pino';

export interface Repetition {
  readonly clock: Clock;
  /** A function is called again for each run. */
  readonly intervalMilliseconds: number | (() => number);
  readonly task: () => Promise<void>;
  /** Told of a failure; the next turn comes all the same. */
  readonly onFailure: (failure: unknown) => void;
}

/** Runs a task again and again, never twice at a time. The returned function stops it and waits for a turn under way. */
export function repeat({ clock, intervalMilliseconds, task, onFailure }: Repetition): () => Promise<void> {
  let stopped = false;
  let cancel: () => void = () => undefined;
  let turn: Promise<void> = Promise.resolve();
  const scheduleNext = (): void => {
    if (stopped) return;
    cancel = clock.schedule(typeof intervalMilliseconds === 'number' ? intervalMilliseconds : intervalMilliseconds(), () => {
      turn = task().catch(onFailure).then(scheduleNext);
    });
  };
  scheduleNext();
  return () => {
    stopped = true;
    cancel();
    return turn;
  };
}

/** Whether something comes about in time; resolves as soon as it does, or when the time is over. */
export async function withTimeout(event: Promise<void>, milliseconds: number, clock: Clock): Promise<boolean> {
  let cancel: () => void = () => undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    cancel = clock.schedule(milliseconds, () => resolve(false));
  });
  try {
    return await Promise.race([event.then(() => true), tooLate]);
  } finally {
    cancel();
  }
}

/** How often it is looked whether another process has set an expiry; a block whose expiry is known ends right then. */
export const EXPIRY_LOOK_MILLISECONDS = MILLISECONDS_PER_SECOND;

export interface BlockExpiryPorts {
  readonly platform: PlatformState;
  readonly controls: OperatorControls;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Ends blocks of accounts, keys and networks when they come to their date. Of several gateways one ends each. */
export class BlockExpiry {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: BlockExpiryPorts) {}

  start(): void {
    const { clock, log } = this.ports;
    this.#stop = repeat({
      clock,
      intervalMilliseconds: () => this.pause(),
      task: () => this.endExpired(),
      // The lease keeper tells of a store that is lost.
      onFailure: (err) => {
        if (!isStoreLost(err)) log.error({ err }, 'expired blocks could not be ended; it is retried');
      },
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  private pause(): number {
    const { platform, clock } = this.ports;
    const endsAt = platform.current().nextBlockEndsAt;
    const rest = endsAt === null ? EXPIRY_LOOK_MILLISECONDS : endsAt - clock.now();
    // One that is due all the same was left by a turn that failed, or is one of many.
    return rest > 0 ? Math.min(rest, EXPIRY_LOOK_MILLISECONDS) : EXPIRY_LOOK_MILLISECONDS;
  }

  private async endExpired(): Promise<void> {
    const { platform, controls, clock, log } = this.ports;
    const endsAt = platform.current().nextBlockEndsAt;
    const at = clock.now();
    if (endsAt === null || endsAt > at) return;
    const ended = await controls.endExpiredBlocks({ actor: SYSTEM_ACTOR, at });
    if (ended > 0) log.info({ blocks: ended }, 'ended blocks that had expired');
  }
}

export const DELETION_INTERVAL_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** People removed in one transaction. */
const PEOPLE_AT_ONCE = 10;

export interface DeletionRunnerPorts {
  readonly deletions: AccountDeletion;
  readonly people: Pick<PersonRecords, 'discardUnverified'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Carries out the deletions that are due, and removes people who never verified their address, once a minute. Of several gateways one acts on each. */
export class DeletionRunner {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: DeletionRunnerPorts) {}

  start(): void {
    const { clock, log } = this.ports;
    this.#stop = repeat({
      clock,
      intervalMilliseconds: DELETION_INTERVAL_MILLISECONDS,
      task: async () => {
        await this.carryOut();
        await this.discardUnverified();
      },
      // The lease keeper tells of a store that is lost.
      onFailure: (err) => {
        if (!isStoreLost(err)) log.error({ err }, 'accounts and people that are due could not be deleted; it is retried');
      },
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  private async carryOut(): Promise<void> {
    const { deletions, log } = this.ports;
    const { deleted, failed } = await deletions.carryOutDue();
    for (const accountId of deleted) log.info({ accountId }, 'deleted an account');
    for (const { accountId, error: err } of failed) log.error({ accountId, err }, 'an account could not be deleted; it is retried');
  }

  private async discardUnverified(): Promise<void> {
    const { people, clock, log } = this.ports;
    let [all, some] = [0, 0];
    do {
      some = await people.discardUnverified(PEOPLE_AT_ONCE, { actor: SYSTEM_ACTOR, at: clock.now() });
      all += some;
    } while (some === PEOPLE_AT_ONCE);
    if (all > 0) log.info({ people: all }, 'removed people who never verified their address');
  }
}

export const TOTALS_INTERVAL_MILLISECONDS = MILLISECONDS_PER_HOUR;

export interface TotalsRunnerPorts {
  readonly allUsage: AllAccountsUsage;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sums up the usage of all accounts once an hour if there is any, so that an operator's first look after days finds little left to do. */
export class TotalsRunner {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: TotalsRunnerPorts) {}

  start(): void {
    const { allUsage, clock, log } = this.ports;
    this.#stop = repeat({
      clock,
      intervalMilliseconds: TOTALS_INTERVAL_MILLISECONDS,
      task: () => allUsage.catchUp(),
      // The lease keeper tells of a store that is lost.
      onFailure: (err) => {
        if (!isStoreLost(err)) log.error({ err }, 'the usage of all accounts could not be aggregated; it is retried');
      },
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}
