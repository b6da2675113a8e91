import type { AuditTrail, LedgerAudit, RequestBooks, StatementReader } from '@tollgate/core';
import type { StepDifferences } from '../migrations/compare-steps.js';
import { NewerDatabaseError, OlderDatabaseError } from '../migrations/schema-errors.js';
import type { StoreHistory } from './store-history.js';

/** Reads a database without a lease or a migration, and creates no files beside it. */
export interface StoreReader {
  readonly ledgerAudit: LedgerAudit;
  readonly statements: StatementReader;
  readonly auditTrail: Pick<AuditTrail, 'verifyAuditTrail'>;
  readonly books: RequestBooks;
  readonly history: Pick<StoreHistory, 'compare'>;
  /** The engine's report of damaged pages and indexes, at most 100 lines; empty for servers, which have their own tools. */
  damage(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Throws `NewerDatabaseError` or `OlderDatabaseError` if the schema is of another version. */
export function requireCurrentSchema(place: string, { pendingSteps, unknownSteps }: StepDifferences): void {
  if (unknownSteps.length > 0) throw new NewerDatabaseError(unknownSteps);
  if (pendingSteps.length > 0) throw new OlderDatabaseError(place, pendingSteps);
}

/** Bytes written and the approximate total. */
export interface CopyProgress {
  readonly copiedBytes: number;
  readonly totalBytes: number;
}
