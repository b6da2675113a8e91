import { later, type Ledger, MILLISECONDS_PER_MINUTE, type ProcessId, type RunningGenerations } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const FORGOTTEN_LOOK_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** Longer than the database may take to answer a reservation, which is not running before. */
export const ON_ITS_WAY_MILLISECONDS = MILLISECONDS_PER_MINUTE;

interface ForgottenSweeperPorts extends TaskPorts {
  readonly ledger: Ledger;
  readonly running: RunningGenerations;
  readonly processId: ProcessId;
}

/**
 * Ends what this process holds in the database and neither runs nor has to settle: the database was set back before its end, or its
 * release was dropped. While this process lives, no other sweep ends it before its deadline.
 */
export class ForgottenSweeper extends ScheduledTask<ForgottenSweeperPorts> {
  protected readonly schedule = { intervalMilliseconds: FORGOTTEN_LOOK_MILLISECONDS, failureMessage: 'reservations without a running request could not be ended; the gateway retries' };

  protected async run(): Promise<void> {
    const { ledger, running, processId, clock, log } = this.ports;
    const at = clock.now();
    const { length: ended } = await ledger.sweepForgotten({ ownerId: processId, reservedBefore: later(at, -ON_ITS_WAY_MILLISECONDS), isKnown: (id) => running.has(id), at });
    if (ended > 0) log.warn({ process: processId, ended }, 'ended reservations of this process without a running request: the database has lost their endings');
  }
}
