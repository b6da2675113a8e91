import { later, type Ledger, MILLISECONDS_PER_MINUTE, type ProcessId, type RunningGenerations } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const FORGOTTEN_LOOK_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** Minimum age of a reservation before it may be ended; longer than a reservation takes to reach the database. */
export const ON_ITS_WAY_MILLISECONDS = MILLISECONDS_PER_MINUTE;

interface ForgottenSweeperPorts extends TaskPorts {
  readonly ledger: Ledger;
  readonly running: RunningGenerations;
  readonly processId: ProcessId;
}

/**
 * Ends reservations of this process that no running request needs: their settlement was lost when the database was restored from a backup, or their
 * release was dropped. Other sweepers end them only at their deadline.
 */
export class ForgottenSweeper extends ScheduledTask<ForgottenSweeperPorts> {
  protected readonly schedule = { intervalMilliseconds: FORGOTTEN_LOOK_MILLISECONDS, failureMessage: 'reservations without a running request could not be ended; the gateway retries' };

  protected async run(): Promise<void> {
    const { ledger, running, processId, clock, log } = this.ports;
    const at = clock.now();
    const { length: ended } = await ledger.sweepForgotten({ ownerId: processId, reservedBefore: later(at, -ON_ITS_WAY_MILLISECONDS), isKnown: (id) => running.has(id), at });
    if (ended > 0) log.warn({ process: processId, ended }, 'reservations without a running request were ended: the database lost their settlements, or their releases were dropped');
  }
}
