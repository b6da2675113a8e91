import type { AuditTrail, LedgerAudit, RequestBooks } from '@tollgate/core';
import type { StepDifferences } from '../migrations/compare-steps.js';
import { NewerDatabaseError, OlderDatabaseError } from '../migrations/schema-errors.js';
import type { StoreHistory } from './store-history.js';

/** A database that is only read: no lease is taken, no schema step, and no file is created beside it. */
export interface StoreReader {
  readonly ledgerAudit: LedgerAudit;
  readonly auditTrail: Pick<AuditTrail, 'verifyAuditTrail'>;
  readonly books: RequestBooks;
  readonly history: Pick<StoreHistory, 'compare'>;
  /** What the database engine reports about damaged pages and indexes, at most a hundred lines; empty if nothing, and on servers, whose own tools check that. */
  damage(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Throws unless the schema is that of this version. */
export function requireCurrentSchema(place: string, { pendingSteps, unknownSteps }: StepDifferences): void {
  if (unknownSteps.length > 0) throw new NewerDatabaseError(unknownSteps);
  if (pendingSteps.length > 0) throw new OlderDatabaseError(place, pendingSteps);
}

/** Bytes of a copy that are written, and about how many there will be. */
export interface CopyProgress {
  readonly copiedBytes: number;
  readonly totalBytes: number;
}
