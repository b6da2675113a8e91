import type { ReservationId } from '@tollgate/core';
import { LatelyKnown } from '../../ledger/lately-known.js';

/**
 * Which account a reservation is on, as far as this process has asked for it lately and not ended it; so that what happens to one account
 * stays in order. Nothing depends on it but that order: the database looks for itself.
 */
export class KnownAccounts {
  /** More than one account only when the same reservation was asked for on several. */
  readonly #known = new LatelyKnown<ReservationId, readonly string[]>();

  note(reservation: ReservationId, account: string): void {
    const accounts = this.of(reservation);
    if (!accounts.includes(account)) this.#known.set(reservation, [...accounts, account]);
  }

  of(reservation: ReservationId): readonly string[] {
    return this.#known.get(reservation) ?? [];
  }

  /** Of one that has ended nothing more is asked, or only what may come in any order. */
  forget(reservation: ReservationId): void {
    this.#known.delete(reservation);
  }
}
