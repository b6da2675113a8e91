import { type IdempotencyStore, later, type Ledger, type ProcessId, type RunningGenerations, tryInTurn } from '@tollgate/core';
import { ScheduledTask, type TaskPorts } from './scheduled-task.js';

/** A reservation of a running request expires only if several prolongations in a row fail. */
export const PROLONGATIONS_PER_LIFETIME = 4;

interface DeadlineKeeperPorts extends TaskPorts {
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyStore;
  readonly running: RunningGenerations;
  readonly processId: ProcessId;
  readonly lifetimeMilliseconds: number;
}

/**
 * Prolongs the reservations and the idempotency keys of running requests. How long a request may take depends on the time limits of all its
 * candidates, which a reload of the catalogue changes, and on how fast its client reads.
 */
export class DeadlineKeeper extends ScheduledTask<DeadlineKeeperPorts> {
  protected readonly schedule = {
    intervalMilliseconds: () => Math.floor(this.ports.lifetimeMilliseconds / PROLONGATIONS_PER_LIFETIME),
    failureMessage: 'the reservations of running requests could not be prolonged; the gateway retries',
  };

  protected async run(): Promise<void> {
    const { ledger, idempotency, running, processId: ownerId, clock, lifetimeMilliseconds } = this.ports;
    const held = running.values();
    if (held.length === 0) return;
    const at = clock.now();
    const common = { ownerId, at, expiresAt: later(at, lifetimeMilliseconds) };
    const duties = [
      () => ledger.prolong({ ...common, reservations: held.map(({ reservationId }) => reservationId) }),
      () => idempotency.prolong({ ...common, requests: held.map(({ facts: { requestId } }) => requestId) }),
    ];
    await tryInTurn(duties, (duty) => duty());
  }
}
