import { type AccountDeletion, type Clock, isStoreLost, MILLISECONDS_PER_MINUTE, type PersonRecords, SYSTEM_ACTOR } from '@tollgate/core';
import type { Logger } from 'pino';
import { every } from './every.js';

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
    this.#stop = every({
      clock,
      intervalMilliseconds: DELETION_INTERVAL_MILLISECONDS,
      task: async () => {
        await this.carryOut();
        await this.discardUnverified();
      },
      // The lease keeper tells of a store that is lost.
      onFailure: (err) => {
        if (!isStoreLost(err)) log.error({ err }, 'accounts and people that are due could not be deleted; it is tried again');
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
    for (const { accountId, error: err } of failed) log.error({ accountId, err }, 'an account could not be deleted; it is tried again');
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
