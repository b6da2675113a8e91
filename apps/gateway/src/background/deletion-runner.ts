import type { AccountDeletion, Clock } from '@tollgate/core';
import { isStoreLost, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { Logger } from 'pino';
import { every } from './every.js';

export const DELETION_INTERVAL_MILLISECONDS = MILLISECONDS_PER_MINUTE;

export interface DeletionRunnerPorts {
  readonly deletions: AccountDeletion;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Carries out the deletions that are due, once a minute. Of several gateways one deletes each account. */
export class DeletionRunner {
  #stop: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly ports: DeletionRunnerPorts) {}

  start(): void {
    const { clock, log } = this.ports;
    this.#stop = every({
      clock,
      intervalMilliseconds: DELETION_INTERVAL_MILLISECONDS,
      task: () => this.carryOut(),
      // The lease keeper tells of a store that is lost.
      onFailure: (err) => {
        if (!isStoreLost(err)) log.error({ err }, 'accounts that are due could not be deleted; it is tried again');
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
}
