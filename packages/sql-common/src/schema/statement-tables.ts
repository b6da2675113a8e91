import type { NullableText, Whole } from './column-types.js';

/** Append-only. */
export interface StatementTable {
  number: Whole;
  account_id: string;
  month: string;
  /** End of the month. */
  ends_at: Whole;
  /** JSON without the names of people. */
  document: string;
  opening: Whole;
  closing: Whole;
  made_at: Whole;
  /** Newest ledger entry of the account when the statement was made. It may be in a later month. */
  through_entry: Whole;
  /** Entry up to which all entries of the account are in this statement or an earlier one. */
  complete_through: Whole;
}

/** Names in a statement, as JSON. Deleted when the account is erased. */
export interface StatementNamesTable {
  number: Whole;
  account_id: string;
  names: string;
}

/** Printed statements. `content` is in Base64. Those with names are deleted when the account is erased. */
export interface StatementFileTable {
  number: Whole;
  format: string;
  /** 0 if the file was made after the names had been deleted. */
  named: Whole;
  account_id: string;
  content: string;
}

/** Table with one row: the progress of making statements. */
export interface StatementStateTable {
  id: Whole;
  last_number: Whole;
  /** Month whose statements are being made, or are to be made next; `null` before the first. */
  month: NullableText;
  ends_at: Whole;
  /** Last account, in the order of ids, that has its statement of the month or needs none. */
  after_account: string;
  /** Number of the newest run, which has a claim until `claimed_until`. */
  version: Whole;
  claimed_until: Whole;
}

export interface StatementTables {
  statements: StatementTable;
  statement_names: StatementNamesTable;
  statement_files: StatementFileTable;
  statement_state: StatementStateTable;
}
