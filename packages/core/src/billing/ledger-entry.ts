import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, RequestId, ReservationId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import { COUNTER_ACCOUNTS } from './money-act.js';

/** The other sides of customers' transfers. They have no row: their balances are what the entries sum to. */
export const REVENUE = COUNTER_ACCOUNTS.refund;
export const WRITE_OFFS = 'system:write-offs';

/** What a request can leave in the ledger, each at most once: paid by its account, or written off by the house. */
export type RequestEntryKind = 'charge' | 'write-off' | 'late-charge' | 'late-write-off';

/** One transfer of a request as its owner is shown it. */
export interface RequestTransfer {
  readonly kind: RequestEntryKind | 'refund';
  readonly amount: ServiceTokens;
  /** Of a refund; `null` for the others. */
  readonly reference: string | null;
  readonly at: Instant;
}

/** What an operator gave back of a request's charge, as it is stored. */
export interface RefundEntry {
  /** Its number in the ledger, in the order of writing. */
  readonly number: string;
  readonly debit: AccountId | string;
  readonly credit: AccountId | string;
  readonly amount: ServiceTokens;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly at: Instant;
  /** Of the account it is booked on, right after this entry. */
  readonly balanceAfter: ServiceTokens;
}

/** One transfer of a request, as it is stored. */
export interface RequestEntry {
  /** Its number in the ledger, in the order of writing. */
  readonly number: string;
  readonly kind: RequestEntryKind;
  /** Who pays. */
  readonly debit: AccountId | string;
  readonly credit: AccountId | string;
  readonly amount: ServiceTokens;
  readonly requestId: RequestId | null;
  readonly reservationId: ReservationId;
  readonly at: Instant;
  /** The UTC day whose usage it belongs to. */
  readonly day: string;
  /** Of the request's account, right after this entry. */
  readonly balanceAfter: ServiceTokens;
}
