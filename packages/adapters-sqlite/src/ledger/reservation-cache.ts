import { type ApiKeyId, type Instant, type KeyBudget, MILLISECONDS_PER_MINUTE, type RequestFacts, type ReservationId } from '@tollgate/core';
import { RecentCache } from '@tollgate/sql-common';

/** What a reservation was when this process made it. */
export interface CachedReservation {
  readonly facts: RequestFacts;
  readonly budget: KeyBudget | null;
  /** In micro-tokens; less than the reserved amount after an extension. */
  readonly amount: bigint;
}

/**
 * What this process has reserved and not settled, so that a settlement need not read it again. Whether a reservation is held is not known here,
 * nor whether it ever came to be: the statement that ends the reservation verifies it.
 */
export class ReservationCache {
  private readonly known = new RecentCache<ReservationId, CachedReservation>();

  remember(id: ReservationId, reservation: CachedReservation): void {
    this.known.set(id, reservation);
  }

  /** What is known, which is forgotten: a reservation ends once. */
  take(id: ReservationId): CachedReservation | null {
    const reservation = this.known.get(id);
    this.known.delete(id);
    return reservation;
  }
}

/** A key's date of last use is kept to the minute, to spare a write per request. */
export const LAST_USE_PRECISION_MILLISECONDS = MILLISECONDS_PER_MINUTE;

interface Use {
  readonly at: Instant;
}

/** Uses of keys that this process has written down lately, to spare the database the question. Only what is committed is to be noted. */
export class KeyUseBuffer {
  private readonly latest = new RecentCache<ApiKeyId, Use>();

  /** Whether a use at this time is certain not to change the date that is kept. */
  covers(keyId: ApiKeyId, at: Instant): boolean {
    const latest = this.latest.get(keyId);
    return latest !== null && at < latest.at + LAST_USE_PRECISION_MILLISECONDS;
  }

  note(keyId: ApiKeyId, at: Instant): void {
    this.latest.set(keyId, { at });
  }
}
