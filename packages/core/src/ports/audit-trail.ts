/**
 * What is wrong with an entry: it is not as it was written, or the one before it is not; it is missing, with others after it; it and all
 * after it were cut off; it was added by something that does not keep the trail.
 */
export type AuditFault = 'altered' | 'missing' | 'cut-off' | 'added';

/** What reading the whole audit trail showed. */
export interface AuditTrailVerification {
  /** How many were written. */
  readonly entries: number;
  /** Number of the first entry with a fault; `null` when all are sound. */
  readonly firstBrokenEntry: number | null;
  readonly fault: AuditFault | null;
}

/**
 * The record of what operators, owners and the service itself changed: each entry carries a hash over the one before,
 * and the number of entries is kept elsewhere with the hash of the last one.
 */
export interface AuditTrail {
  verifyAuditTrail(): Promise<AuditTrailVerification>;
}
