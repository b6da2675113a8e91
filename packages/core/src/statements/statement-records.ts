import type { AccountId } from '../primitives/ids.js';
import { type Instant, MILLISECONDS_PER_HOUR, type UtcMonth } from '../primitives/time.js';
import type { NamedStatement, StatementIssuer } from './statement-document.js';

/** Wait after the end of a month before its statements are made. */
export const STATEMENT_DELAY_MILLISECONDS = MILLISECONDS_PER_HOUR;

export interface StatementStep {
  /** Number of statements that this call made. */
  readonly made: number;
  /** `busy`: another process makes statements. */
  readonly outcome: 'more' | 'done' | 'busy';
  /** One for each account whose month could not be read. It gets no statement of this month; its next one has all entries that are in none. */
  readonly failures: readonly unknown[];
}

export interface StatementSummary {
  readonly number: number;
  readonly accountId: AccountId;
  readonly month: UtcMonth;
  readonly opening: string;
  readonly closing: string;
  readonly madeAt: Instant;
}

export interface StatementQuery {
  /** `null`: all accounts. */
  readonly accountId: AccountId | null;
  /** `null`: all months. */
  readonly month: UtcMonth | null;
  /** Only statements with smaller numbers; `null` for the first page. */
  readonly before: number | null;
  readonly limit: number;
}

export interface StatementPage {
  /** Newest first. */
  readonly statements: readonly StatementSummary[];
  readonly hasMore: boolean;
}

export const STATEMENT_FILES = ['csv', 'pdf'] as const;
export type StatementFile = (typeof STATEMENT_FILES)[number];

export interface PrintedStatement {
  readonly number: number;
  readonly format: StatementFile;
  /** False after the erasure of the account. */
  readonly hasNames: boolean;
}

export interface StatementDifference {
  readonly accountId: AccountId | null;
  /** `null` if the difference concerns no particular statement. */
  readonly number: number | null;
  readonly fault: string;
}

export interface VerifiedStatements {
  readonly accounts: number;
  readonly statements: number;
  readonly differences: readonly StatementDifference[];
  /** Pass it as `after`; `null` once all accounts are verified. */
  readonly last: AccountId | null;
}

/** Reads statements for verification, also from a copy of the database. */
export interface StatementReader {
  /** Compares the statements of a bounded number of accounts with the ledger. Starts after the id `after`; `null` starts with the first account. */
  verifySome(after: AccountId | null): Promise<VerifiedStatements>;
  /** Finds gaps in the numbers. */
  verifyNumbers(): Promise<readonly StatementDifference[]>;
}

/**
 * Statements and the files made of them. A ledger entry belongs to the account's first statement that is made after the entry was committed and whose
 * month ends after the entry was booked. So each entry is in one statement, even if it was booked while the database was unreachable.
 */
export interface StatementRecords extends StatementReader {
  /**
   * Makes a bounded number of the missing statements of the oldest past month. Idempotent, even if several processes call it. Throws, and passes no
   * account, if a query fails or if two accounts in a row cannot be read.
   */
  makeSome(issuer: StatementIssuer, at: Instant): Promise<StatementStep>;
  list(query: StatementQuery): Promise<StatementPage>;
  find(number: number): Promise<NamedStatement | null>;
  /** `null` before `keepFile`. */
  file(file: PrintedStatement): Promise<Uint8Array | null>;
  /**
   * Keeps the first file for each combination of statement, format and `hasNames`, and returns the bytes of the kept file. `null` if the statement
   * has lost its names meanwhile, or does not exist.
   */
  keepFile(file: PrintedStatement, bytes: Uint8Array): Promise<Uint8Array | null>;
}
