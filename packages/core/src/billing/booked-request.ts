import type { ServiceTokens } from '../money/service-tokens.js';
import type { RefundEntry, RequestEntry } from './ledger-entry.js';
import type { LateSettlement } from './late-settlement.js';
import type { Reservation } from './reservation.js';
import type { UsageRecord } from './usage-record.js';

/** Everything the books hold of one request, each part as it was written. What is missing although it should be there is for `findDisagreements`. */
export interface BookedRequest {
  /** Its amount is all that was set aside, extensions included. */
  readonly reservation: Reservation | null;
  /** As it was written when the reservation ended; `null` while the request runs. */
  readonly record: UsageRecord | null;
  readonly late: LateSettlement | null;
  /** In the order they were written. */
  readonly entries: readonly RequestEntry[];
  /** In the order they were written. */
  readonly refunds: readonly RefundEntry[];
  /** The largest amount that can be stored; larger ones are stored as this one. */
  readonly largestAmount: ServiceTokens;
}
