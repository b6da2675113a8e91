import { type IdempotencyStore, type Instant, later, type Ledger, MILLISECONDS_PER_SECOND, type SweptReservations, tryInTurn } from '@tollgate/core';
import type { Logger } from 'pino';
import { IDEMPOTENCY_KEPT_MILLISECONDS } from '../routes/generation/idempotent-requests.js';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

export const SWEEP_MILLISECONDS = 2000;

/** States facts only: a process without a lease may be dead, stopped or disconnected. */
function logSwept(log: Logger, { ownerId: process, ended, cause, silentMilliseconds }: SweptReservations): void {
  if (cause === 'deadline') return log.warn({ process, ended }, 'ended reservations past their deadline');
  const silentSeconds = silentMilliseconds === null ? null : Math.round(silentMilliseconds / MILLISECONDS_PER_SECOND);
  log.warn({ process, ended, silentSeconds }, 'ended the reservations of a process whose lease was not renewed');
}

/** Each sweep is a short transaction, so that requests run between two sweeps. */
const IDEMPOTENCY_SWEEPS_PER_TURN = 80;

interface SweepRunnerPorts extends TaskPorts {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
}

/** Ends the reservations and the claims of idempotency keys of processes without a lease, and those past their deadline. Removes expired claims. */
export class SweepRunner extends ScheduledTask<SweepRunnerPorts> {
  protected readonly schedule = { intervalMilliseconds: SWEEP_MILLISECONDS, failureMessage: 'orphaned reservations could not be swept' };

  /** A failure to end reservations does not delay the end of claims. */
  protected async run(): Promise<void> {
    const { ledger, clock, log } = this.ports;
    const now = clock.now();
    const sweeps = [
      () => ledger.sweep(now, (swept) => logSwept(log, swept)),
      () => this.sweepClaims(now),
    ];
    await tryInTurn<() => Promise<unknown>>(sweeps, (sweep) => sweep());
  }

  private async sweepClaims(now: Instant): Promise<void> {
    const { idempotency } = this.ports;
    const keptUntil = later(now, IDEMPOTENCY_KEPT_MILLISECONDS);
    let turns = 0;
    while (turns < IDEMPOTENCY_SWEEPS_PER_TURN && await idempotency.sweep(now, keptUntil) > 0) turns += 1;
  }
}
