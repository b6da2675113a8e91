import { UnreleasedDatabaseError } from './schema-errors.js';

/** Differences between the migration steps of a database and those of this version. */
export interface StepDifferences {
  /** Steps that the next start of this version applies. */
  readonly pendingSteps: readonly string[];
  /** Steps that a newer version has applied. */
  readonly unknownSteps: readonly string[];
}

/** First step of all databases from before the first release. */
const FIRST_UNRELEASED_STEP = '0001-initial';

/** Throws `UnreleasedDatabaseError` if the database is from before the first release. */
export function compareSteps(applied: readonly string[], known: readonly string[]): StepDifferences {
  if (applied.includes(FIRST_UNRELEASED_STEP)) throw new UnreleasedDatabaseError();
  return { pendingSteps: known.filter((step) => !applied.includes(step)), unknownSteps: applied.filter((step) => !known.includes(step)) };
}

/** True if the database has the schema of this version. */
export function isCurrent({ pendingSteps, unknownSteps }: StepDifferences): boolean {
  return pendingSteps.length === 0 && unknownSteps.length === 0;
}
