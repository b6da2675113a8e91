import { type Clock, type ReservationId, ReversalRefused, type SettleCommand } from '@tollgate/core';
import { MissedReservations } from './missed-reservations.js';
import type { OutboxReport } from './outbox-report.js';

/** Reservations to give back; those beyond are left to the sweeper. */
export const MAX_RELEASES = 10_000;

/** Endings that cost nothing and that the ledger has not accepted; not on the disk, since a lease that runs out gives their reservations back too. Those of which a sweep may have charged a checkpoint wait with the charges. */
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

  /** Those that did not wait because too many did. */
  get dropped(): number {
    return this.#dropped;
  }

  has(id: ReservationId): boolean {
    return this.#waiting.has(id);
  }

  values(): readonly SettleCommand[] {
    return [...this.#waiting.values()];
  }

  /** Waits at the end, if there is room. The first one without room is reported. */
  add(command: SettleCommand): void {
    const { reservationId } = command;
    this.#waiting.delete(reservationId);
    if (this.#waiting.size < MAX_RELEASES) this.#waiting.set(reservationId, command);
    else if (this.#dropped++ === 0) this.report.releaseDropped(reservationId);
  }

  /** The ledger has accepted it. */
  accepted({ reservationId }: SettleCommand): void {
    this.#waiting.delete(reservationId);
    this.#missed.forget(reservationId);
  }

  /** The ledger does not know the reservation: it is tried again as long as a server that was silent may still make it. What was charged and cannot be reversed is dropped. */
  refused(command: SettleCommand, cause: unknown): void {
    const { reservationId } = command;
    this.#waiting.delete(reservationId);
    if (cause instanceof ReversalRefused) this.report.dropped(reservationId, cause);
    else if (this.#missed.mayAppear(reservationId)) this.add(command);
  }
}
