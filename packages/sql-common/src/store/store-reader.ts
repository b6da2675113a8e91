import type { AuditTrail, LedgerAudit, RequestBooks, StatementReader } from '@tollgate/core';
import type { StepDifferences } from '../migrations/compare-steps.js';
import { NewerDatabaseError, OlderDatabaseError } from '../migrations/schema-errors.js';
import type { StoreHistory } from './store-history.js';

/** Reads a database without a lease or a migration. Leaves no files beside it after `close`. */
export interface StoreReader {
  readonly ledgerAudit: LedgerAudit;
  readonly statements: StatementReader;
  readonly auditTrail: Pick<AuditTrail, 'verifyAuditTrail'>;
  readonly books: RequestBooks;
  readonly history: Pick<StoreHistory, 'compare'>;
  /** Damaged pages and indexes as reported by SQLite, at most 100 lines. Empty for PostgreSQL, which has its own tools. */
  damage(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Throws `NewerDatabaseError` or `OlderDatabaseError` if the database has the schema of another version. */
export function requireCurrentSchema(place: string, { pendingSteps, unknownSteps }: StepDifferences): void {
  if (unknownSteps.length > 0) throw new NewerDatabaseError(unknownSteps);
  if (pendingSteps.length > 0) throw new OlderDatabaseError(place, pendingSteps);
}

/** Number of bytes written so far, and the approximate total. */
export interface CopyProgress {
  readonly copiedBytes: number;
  readonly totalBytes: number;
}
