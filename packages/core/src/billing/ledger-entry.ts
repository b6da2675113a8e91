import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, RequestId, ReservationId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import { COUNTER_ACCOUNTS } from './money-act.js';

/** Counterparty of charges, write-offs and refunds. Its balance is not stored; it is the sum of its entries. */
export const REVENUE = COUNTER_ACCOUNTS.refund;
export const WRITE_OFFS = 'system:write-offs';

/** A request has at most one entry of each kind. The account pays charges, `WRITE_OFFS` pays write-offs. */
export type RequestEntryKind = 'charge' | 'write-off' | 'late-charge' | 'late-write-off';

/** A ledger entry of a request as the account's owner sees it. */
export interface RequestTransfer {
  readonly kind: RequestEntryKind | 'refund';
  readonly amount: ServiceTokens;
  /** For refunds only. */
  readonly reference: string | null;
  readonly at: Instant;
}

export interface RefundEntry {
  /** Increases in the order of writing. */
  readonly number: string;
  readonly debit: AccountId | string;
  readonly credit: AccountId | string;
  readonly amount: ServiceTokens;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly at: Instant;
  /** Balance of the refunded account after this entry. */
  readonly balanceAfter: ServiceTokens;
}

export interface RequestEntry {
  /** Increases in the order of writing. */
  readonly number: string;
  readonly kind: RequestEntryKind;
  /** The payer. */
  readonly debit: AccountId | string;
  readonly credit: AccountId | string;
  readonly amount: ServiceTokens;
  readonly requestId: RequestId | null;
  readonly reservationId: ReservationId;
  readonly at: Instant;
  /** UTC day of the roll-up that includes this entry. */
  readonly day: string;
  /** Balance of the request's account after this entry. */
  readonly balanceAfter: ServiceTokens;
}
