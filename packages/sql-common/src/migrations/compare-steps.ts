import { UnreleasedDatabaseError } from './schema-errors.js';

/** How the steps that a database has taken differ from those of this version. */
export interface StepDifferences {
  /** Steps that the next start of this version takes. */
  readonly pendingSteps: readonly string[];
  /** Steps that a newer version has taken. */
  readonly unknownSteps: readonly string[];
}

/** The first step of every database that was created before the first release. */
const FIRST_UNRELEASED_STEP = '0001-initial';

/** Throws `UnreleasedDatabaseError`. */
export function compareSteps(applied: readonly string[], known: readonly string[]): StepDifferences {
  if (applied.includes(FIRST_UNRELEASED_STEP)) throw new UnreleasedDatabaseError();
  return { pendingSteps: known.filter((step) => !applied.includes(step)), unknownSteps: applied.filter((step) => !known.includes(step)) };
}

/** True if the schema is that of this version. */
export function isCurrent({ pendingSteps, unknownSteps }: StepDifferences): boolean {
  return pendingSteps.length === 0 && unknownSteps.length === 0;
}
