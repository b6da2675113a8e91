import type { StepDifferences } from '../migrations/compare-steps.js';

/** Found without changing the database. */
export type DatabaseInspection =
  /** Without a password. */
  | { readonly outcome: 'missing' | 'unavailable'; readonly message: string }
  /** This version cannot migrate its schema. */
  | { readonly outcome: 'unusable'; readonly message: string }
  | InspectedDatabase;

export interface InspectedDatabase extends StepDifferences {
  readonly outcome: 'inspected';
  /** Fingerprint of the secret; `null` if none is recorded. */
  readonly fingerprint: string | null;
  /** `null` with the schema of another version. */
  readonly hasOperator: boolean | null;
  /** Server's clock minus this machine's; `null` if the database has no clock. */
  readonly clockAheadMilliseconds: number | null;
}
