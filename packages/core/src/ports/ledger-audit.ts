import type { AccountId } from '../ids.js';

export interface LedgerDifference {
  /** The invariant that does not hold, by its number in the documentation: `I3`. */
  readonly invariant: string;
  readonly accountId: AccountId | null;
  readonly expected: string;
  readonly found: string;
}

export interface LedgerVerification {
  readonly accounts: number;
  readonly entries: number;
  readonly usageRecords: number;
  readonly differences: readonly LedgerDifference[];
}

/** Recomputes what the stored figures must sum to. Reads one consistent state; changes nothing. */
export interface LedgerAudit {
  verify(): Promise<LedgerVerification>;
}
