import type { NullableWhole, Whole, WholeOrDefault } from './column-types.js';

/**
 * What is left of each credit of an account after one of its ledger entries. It is derived from the ledger, and the next derivation continues from
 * here.
 */
export interface CreditSnapshotTable {
  account_id: string;
  /** Time of the account's next check; `null` if none of its credits expires. */
  next_at: NullableWhole;
  /** Newest entry of the account that is included; 0 before the first derivation. */
  through_entry: WholeOrDefault;
  /** Newest entry of any account when the snapshot was derived. */
  newest_entry: WholeOrDefault;
  /** Latest end of a request whose charge is included. */
  ended_through: WholeOrDefault;
  /** JSON. */
  credits: string;
}

/** Figures from which each booked expiry was derived. Append-only. */
export interface CreditExpiryTable {
  account_id: string;
  /** Reference of the ledger entry. */
  reference: string;
  credit_entry: Whole;
  expires_at: Whole;
  left_before: Whole;
  available: Whole;
  through_entry: Whole;
  at: Whole;
}

/** One row for each notice whose event is stored. */
export interface CreditNoticeTable {
  account_id: string;
  credit_entry: Whole;
  /** Number of days before the expiry. */
  days: Whole;
  at: Whole;
}

export interface CreditTables {
  credit_snapshots: CreditSnapshotTable;
  credit_expiries: CreditExpiryTable;
  credit_notices: CreditNoticeTable;
}
