import type { StepDifferences } from '../migrations/compare-steps.js';

/** Result of an inspection, which does not change the database. */
export type DatabaseInspection =
  /** The message contains no password. */
  | { readonly outcome: 'missing' | 'unavailable'; readonly message: string }
  /** This version cannot migrate its schema. */
  | { readonly outcome: 'unusable'; readonly message: string }
  | InspectedDatabase;

export interface InspectedDatabase extends StepDifferences {
  readonly outcome: 'inspected';
  /** Fingerprint of the secret; `null` if none is recorded. */
  readonly fingerprint: string | null;
  /** `null` if the schema is of another version. */
  readonly hasOperator: boolean | null;
  /** Server's clock minus this machine's; `null` if the database has no clock. */
  readonly clockAheadMilliseconds: number | null;
}
