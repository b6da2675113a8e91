import { type Booked, type BookingObserver, portionsOf } from '@tollgate/core';

/** Maximum reservations that one round ends: small, so that requests are served during the sweep after a crash. */
export const ORPHANS_PER_ROUND = 100;

export interface EndedOrphan<Row> {
  readonly row: Row;
  readonly booked: Booked;
}

export interface OrphanRound<Row> {
  readonly ended: readonly EndedOrphan<Row>[];
  /** One for each reservation that could not be ended. */
  readonly failures: readonly unknown[];
}

/** Ends reservations in rounds, each once, and announces the bookings of each round. */
export class OrphanRounds<Row> {
  readonly #ended: EndedOrphan<Row>[] = [];
  readonly #failures: unknown[] = [];

  constructor(private readonly observer: BookingObserver) {}

  /** Rows of the reservations that have been ended. */
  get rows(): readonly Row[] {
    return this.#ended.map(({ row }) => row);
  }

  add({ ended, failures }: OrphanRound<Row>): void {
    for (const { booked } of ended) this.observer.booked(booked);
    this.#ended.push(...ended);
    this.#failures.push(...failures);
  }

  /** A reservation that cannot be ended delays no other. If `round` throws, because it failed as a whole, no further round begins. */
  async endAll<Id extends string>(ids: readonly Id[], round: (ids: readonly Id[]) => Promise<OrphanRound<Row>>): Promise<void> {
    for (const some of portionsOf(ids, ORPHANS_PER_ROUND)) this.add(await round(some));
  }

  /** Throws the first failure, if there was one. */
  bookings(): readonly Booked[] {
    if (this.#failures.length > 0) throw this.#failures[0];
    return this.#ended.map(({ booked }) => booked);
  }
}
