import type { StepDifferences } from '../migrations/compare-steps.js';

/** The state of a database, found without changing it. */
export type DatabaseInspection =
  /** The message names the place, and no password. */
  | { readonly outcome: 'missing' | 'unavailable'; readonly message: string }
  /** Its schema is not one that this version migrates. */
  | { readonly outcome: 'unusable'; readonly message: string }
  | InspectedDatabase;

export interface InspectedDatabase extends StepDifferences {
  readonly outcome: 'inspected';
  /** Of the secret that the database belongs to; `null` where none is recorded. */
  readonly fingerprint: string | null;
  /** How far the server's clock is ahead of this machine's; `null` where the database has no clock of its own. */
  readonly clockAheadMilliseconds: number | null;
}
