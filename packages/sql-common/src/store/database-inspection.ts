import type { StepDifferences } from '../migrations/compare-steps.js';

/** Result of an inspection, which does not change the database. Messages contain no password. */
export type DatabaseInspection =
  | { readonly outcome: 'missing' | 'unavailable'; readonly message: string }
  /** `unusable` means that this version can neither use nor migrate the schema. */
  | { readonly outcome: 'unusable'; readonly message: string }
  | InspectedDatabase;

export interface InspectedDatabase extends StepDifferences {
  readonly outcome: 'inspected';
  /** Fingerprint of the secret; `null` if none is stored. */
  readonly fingerprint: string | null;
  /** `null` if the database has the schema of another version. */
  readonly hasOperator: boolean | null;
  /** Time of the server minus time of this machine; `null` if the database has no clock of its own. */
  readonly clockAheadMilliseconds: number | null;
}
