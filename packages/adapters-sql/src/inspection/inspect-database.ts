import type { Clock } from '@tollgate/core';
import { DatabaseUnavailableError } from '../store/database-unavailable-error.js';
import { MissingDatabaseError } from '../store/missing-database-error.js';
import { type DatabasePlace, databasePlaceName } from '../store/open-store.js';
import type { DatabaseInspection } from './database-inspection.js';
import { inspectSqlite } from './inspect-sqlite.js';

/** Looks at a database without making it, changing it or bringing its schema up to date. A gateway may be using it. */
export async function inspectDatabase(place: DatabasePlace, clock: Clock): Promise<DatabaseInspection> {
  try {
    if (place.kind === 'sqlite') return inspectSqlite(place.path);
    // With its driver, which a program on a database file does without.
    const { inspectPostgres } = await import('./inspect-postgres.js');
    return await inspectPostgres(place.url, clock);
  } catch (thrown) {
    if (thrown instanceof MissingDatabaseError) return { outcome: 'missing', message: thrown.message };
    const unavailable = thrown instanceof DatabaseUnavailableError ? thrown : new DatabaseUnavailableError(databasePlaceName(place), thrown);
    return { outcome: 'unavailable', message: unavailable.message };
  }
}
