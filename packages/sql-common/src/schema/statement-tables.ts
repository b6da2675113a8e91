import type { NullableText, Whole } from './column-types.js';

/** Append-only. */
export interface StatementTable {
  number: Whole;
  account_id: string;
  month: string;
  /** End of the month. */
  ends_at: Whole;
  /** JSON; names no person. */
  document: string;
  opening: Whole;
  closing: Whole;
  made_at: Whole;
  /** The account's newest ledger entry when the statement was made, booked in this month or after it. */
  through_entry: Whole;
  /** All entries of the account up to this one are in this statement or in an earlier one. */
  complete_through: Whole;
}

/** JSON; deleted when the account is erased. */
export interface StatementNamesTable {
  number: Whole;
  account_id: string;
  names: string;
}

/** `content` is in Base64. Deleted when the account is erased. */
export interface StatementFileTable {
  number: Whole;
  format: string;
  /** 0 if it was made after the names were deleted. */
  named: Whole;
  account_id: string;
  content: string;
}

/** One row. */
export interface StatementStateTable {
  id: Whole;
  last_number: Whole;
  /** Month whose statements are being made or are next; `null` before the first. */
  month: NullableText;
  ends_at: Whole;
  /** The last account, in the order of ids, whose statement of the month is made or not needed. */
  after_account: string;
  /** Names the newest run, which has a claim until `claimed_until`. */
  version: Whole;
  claimed_until: Whole;
}

export interface StatementTables {
  statements: StatementTable;
  statement_names: StatementNamesTable;
  statement_files: StatementFileTable;
  statement_state: StatementStateTable;
}
