import { type IdempotencyStore, later, type Ledger, MILLISECONDS_PER_SECOND, type SweptReservations } from '@tollgate/core';
import type { Logger } from 'pino';
import { IDEMPOTENCY_KEPT_MILLISECONDS } from '../routes/generation/idempotent-requests.js';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const SWEEP_MILLISECONDS = 2000;

/** Says what is known: a process without a lease may be dead, stopped, or cut off from the database. */
function logSwept(log: Logger, { ownerId: process, ended, cause, silentMilliseconds }: SweptReservations): void {
  if (cause === 'deadline') return log.warn({ process, ended }, 'ended reservations past their deadline');
  const silentSeconds = silentMilliseconds === null ? null : Math.round(silentMilliseconds / MILLISECONDS_PER_SECOND);
  log.warn({ process, ended, silentSeconds }, 'ended the reservations of a process whose lease was not renewed');
}

interface SweepRunnerPorts extends TaskPorts {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
}

/** Ends what dead processes left: what they held, and the keys of their requests. */
export class SweepRunner extends ScheduledTask<SweepRunnerPorts> {
  protected readonly schedule = { intervalMilliseconds: SWEEP_MILLISECONDS, failureMessage: 'orphaned reservations could not be swept' };

  /** Also called by the start of the gateway, which waits for the first sweep. */
  async run(): Promise<void> {
    const { ledger, idempotency, clock, log } = this.ports;
    const now = clock.now();
    await ledger.sweep(now, (swept) => logSwept(log, swept));
    await idempotency.sweep(now, later(now, IDEMPOTENCY_KEPT_MILLISECONDS));
  }
}
