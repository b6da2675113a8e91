import { type Clock, type ReservationId, ReversalRefused, type SettleCommand } from '@tollgate/core';
import { MissedReservations } from './missed-reservations.js';
import type { OutboxReport } from './outbox-report.js';

/** Maximum number of waiting releases; further ones are left to the sweeper. */
export const MAX_RELEASES = 10_000;

/**
 * Releases (ends of reservations without a charge) that the ledger has not accepted yet. They wait in memory only, because an expired lease ends the
 * reservation too. A release after which a sweep's charge may have to be reversed waits in the settlement queue.
 */
export class ReleaseQueue {
  readonly #waiting = new Map<ReservationId, SettleCommand>();
  readonly #missed: MissedReservations;
  #dropped = 0;

  constructor(clock: Clock, private readonly report: Pick<OutboxReport, 'dropped' | 'releaseDropped'>) {
    this.#missed = new MissedReservations(clock);
  }

  get size(): number {
    return this.#waiting.size;
  }

  get dropped(): number {
    return this.#dropped;
  }

  has(id: ReservationId): boolean {
    return this.#waiting.has(id);
  }

  values(): readonly SettleCommand[] {
    return [...this.#waiting.values()];
  }

  /** Reports the first release for which there is no room. */
  add(command: SettleCommand): void {
    const { reservationId } = command;
    this.#waiting.delete(reservationId);
    if (this.#waiting.size < MAX_RELEASES) this.#waiting.set(reservationId, command);
    else if (this.#dropped++ === 0) this.report.releaseDropped(reservationId);
  }

  accepted({ reservationId }: SettleCommand): void {
    this.#waiting.delete(reservationId);
    this.#missed.forget(reservationId);
  }

  /**
   * Retries a release whose reservation the ledger does not know, while a silent server may still create it. Reports a charge that cannot be
   * reversed.
   */
  refused(command: SettleCommand, cause: unknown): void {
    const { reservationId } = command;
    this.#waiting.delete(reservationId);
    if (cause instanceof ReversalRefused) this.report.dropped(reservationId, cause);
    else if (this.#missed.mayAppear(reservationId)) this.add(command);
  }
}
