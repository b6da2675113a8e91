/** The state of a database, found without changing it. */
export type DatabaseInspection =
  /** The message names the place, and no password. */
  | { readonly outcome: 'missing' | 'unavailable'; readonly message: string }
  | InspectedDatabase;

export interface InspectedDatabase {
  readonly outcome: 'inspected';
  /** Schema steps that the next start of this version takes. */
  readonly pendingSteps: readonly string[];
  /** Schema steps that a newer version has taken. */
  readonly unknownSteps: readonly string[];
  /** Of the secret that the database belongs to; `null` where none is recorded. */
  readonly fingerprint: string | null;
  /** How far the server's clock is ahead of this machine's; `null` where the database has no clock of its own. */
  readonly clockAheadMilliseconds: number | null;
}

export function compareSteps(applied: readonly string[], known: readonly string[]): Pick<InspectedDatabase, 'pendingSteps' | 'unknownSteps'> {
  return { pendingSteps: known.filter((step) => !applied.includes(step)), unknownSteps: applied.filter((step) => !known.includes(step)) };
}

/** The step that only a new database takes. */
export const INITIAL_STEP = '0001-initial';

/** The schema step that makes the table of the fingerprint. */
export const INSTALLATION_STEP = '0009-installation';
