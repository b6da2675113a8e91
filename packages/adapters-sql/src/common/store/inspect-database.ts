import type { Clock } from '@tollgate/core';
import { DatabaseUnavailableError, MissingDatabaseError } from './database-errors.js';
import { type DatabasePlace, databasePlaceName } from './open-store.js';
import { inspectSqlite } from '../../sqlite/inspect-sqlite.js';

/** What a database is like, found without changing it. */
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

/** The schema step that makes the table of the fingerprint. */
export const INSTALLATION_STEP = '0009-installation';

/** Looks at a database without making it, changing it or bringing its schema up to date. A gateway may be using it. */
export async function inspectDatabase(place: DatabasePlace, clock: Clock): Promise<DatabaseInspection> {
  try {
    if (place.kind === 'sqlite') return inspectSqlite(place.path);
    // With its driver, which a program on a database file does without.
    const { inspectPostgres } = await import('../../postgres/inspect-postgres.js');
    return await inspectPostgres(place.url, clock);
  } catch (thrown) {
    if (thrown instanceof MissingDatabaseError) return { outcome: 'missing', message: thrown.message };
    const unavailable = thrown instanceof DatabaseUnavailableError ? thrown : new DatabaseUnavailableError(databasePlaceName(place), thrown);
    return { outcome: 'unavailable', message: unavailable.message };
  }
}
