/** What reading the whole audit trail showed. */
export interface AuditTrailVerification {
  readonly entries: number;
  /** Number of the first entry that is not as it was written, or does not follow the one before; `null` when all are sound. */
  readonly firstBrokenEntry: number | null;
}

/** The record of what operators, owners and the service itself changed: each entry carries a hash over the one before. */
export interface AuditTrail {
  verifyAuditTrail(): Promise<AuditTrailVerification>;
}
