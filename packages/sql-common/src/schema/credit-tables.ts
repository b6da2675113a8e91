import type { NullableWhole, Whole, WholeOrDefault } from './column-types.js';

/** What is left of an account's credits after one of its ledger entries. Derived from the ledger; the next derivation continues from here. */
export interface CreditSnapshotTable {
  account_id: string;
  /** When the account is looked at again; `null` if none of its credits expires. */
  next_at: NullableWhole;
  /** The account's newest entry that is included; 0 before the first derivation. */
  through_entry: WholeOrDefault;
  /** The newest entry of any account when the snapshot was derived. */
  newest_entry: WholeOrDefault;
  /** The latest end of an included request. */
  ended_through: WholeOrDefault;
  /** JSON. */
  credits: string;
}

/** The figures from which each expiry in the ledger was derived. Append-only. */
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

/** Events of notices that are stored. */
export interface CreditNoticeTable {
  account_id: string;
  credit_entry: Whole;
  /** Days before the expiry. */
  days: Whole;
  at: Whole;
}

export interface CreditTables {
  credit_snapshots: CreditSnapshotTable;
  credit_expiries: CreditExpiryTable;
  credit_notices: CreditNoticeTable;
}
