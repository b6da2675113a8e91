import {
  type AccountDeletion, type AllAccountsUsage, type Clock, isStoreLost, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND,
  type OperatorControls, type PlatformState, SYSTEM_ACTOR,
} from '@tollgate/core';
import type { PersonRecords } from '@tollgate/identity';
import type { Logger } from 'pino';

interface Repetition {
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

/** How a task is scheduled, and what a failure is called in the log. */
interface TaskSchedule {
  /** A function is called again for each run. */
  readonly intervalMilliseconds: number | (() => number);
  readonly failureMessage: string;
}

export interface TaskPorts {
  readonly clock: Clock;
  readonly log: Logger;
}

/** A task that runs at intervals from the start of the gateway to its end. A failed run is logged; the next one comes all the same. */
export abstract class ScheduledTask<Ports extends TaskPorts> {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(protected readonly ports: Ports) {}

  protected abstract readonly schedule: TaskSchedule;

  protected abstract run(): Promise<void>;

  start(): void {
    const { ports: { clock, log }, schedule: { intervalMilliseconds, failureMessage } } = this;
    this.#stop = repeat({
      clock,
      intervalMilliseconds,
      task: () => this.run(),
      onFailure: (err) => {
        // The lease keeper reports a store that is lost.
        if (!isStoreLost(err)) log.error({ err }, failureMessage);
      },
    });
  }

  /** Waits for a run in progress. */
  stop(): Promise<void> {
    return this.#stop();
  }
}

/** How often the gateway looks for an expiry that another process has set; a block whose expiry is known ends at that time. */
export const EXPIRY_LOOK_MILLISECONDS = MILLISECONDS_PER_SECOND;

interface BlockExpiryPorts extends TaskPorts {
  readonly platform: PlatformState;
  readonly controls: OperatorControls;
}

/** Ends blocks of accounts, keys and networks when they expire. Of several gateways one ends each. */
export class BlockExpiry extends ScheduledTask<BlockExpiryPorts> {
  protected readonly schedule = { intervalMilliseconds: () => this.pause(), failureMessage: 'expired blocks could not be ended; the gateway retries' };

  protected async run(): Promise<void> {
    const { platform, controls, clock, log } = this.ports;
    const endsAt = platform.current().nextBlockEndsAt;
    const at = clock.now();
    if (endsAt === null || endsAt > at) return;
    const ended = await controls.endExpiredBlocks({ actor: SYSTEM_ACTOR, at });
    if (ended > 0) log.info({ blocks: ended }, 'ended blocks that had expired');
  }

  private pause(): number {
    const { platform, clock } = this.ports;
    const endsAt = platform.current().nextBlockEndsAt;
    const rest = endsAt === null ? EXPIRY_LOOK_MILLISECONDS : endsAt - clock.now();
    // One that is due already was left by a run that failed, or is one of many.
    return rest > 0 ? Math.min(rest, EXPIRY_LOOK_MILLISECONDS) : EXPIRY_LOOK_MILLISECONDS;
  }
}

export const DELETION_INTERVAL_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** People removed in one transaction. */
const PEOPLE_AT_ONCE = 10;

interface DeletionRunnerPorts extends TaskPorts {
  readonly deletions: AccountDeletion;
  readonly people: Pick<PersonRecords, 'discardUnverified'>;
}

/** Carries out the deletions that are due, and removes people who never verified their address, once a minute. Of several gateways one acts on each. */
export class DeletionRunner extends ScheduledTask<DeletionRunnerPorts> {
  protected readonly schedule = { intervalMilliseconds: DELETION_INTERVAL_MILLISECONDS, failureMessage: 'accounts and people due for deletion could not be deleted; the gateway retries' };

  protected async run(): Promise<void> {
    await this.carryOut();
    await this.discardUnverified();
  }

  private async carryOut(): Promise<void> {
    const { deletions, log } = this.ports;
    const { deleted, failed } = await deletions.carryOutDue();
    for (const accountId of deleted) log.info({ accountId }, 'deleted an account');
    for (const { accountId, error: err } of failed) log.error({ accountId, err }, 'an account could not be deleted; the gateway retries');
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

interface TotalsRunnerPorts extends TaskPorts {
  readonly allUsage: AllAccountsUsage;
}

/** Aggregates the usage of all accounts once an hour, so that an operator's first look after days finds little left to do. */
export class TotalsRunner extends ScheduledTask<TotalsRunnerPorts> {
  protected readonly schedule = { intervalMilliseconds: TOTALS_INTERVAL_MILLISECONDS, failureMessage: 'the usage of all accounts could not be aggregated; the gateway retries' };

  protected run(): Promise<void> {
    return this.ports.allUsage.catchUp();
  }
}
