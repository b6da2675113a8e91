import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createBaseline } from './0001-baseline/baseline.js';
import type { SchemaDialect } from '../schema/schema-dialect.js';

/** The step that only a new database takes. */
export const INITIAL_STEP = '0001-baseline';

/**
 * Every step of the schema, by a name that sorts in order. Steps that have been released are never edited.
 * There is no way back: an older program refuses a newer database.
 */
export function migrationsFor(dialect: SchemaDialect): Readonly<Record<string, Migration>> {
  return {
    [INITIAL_STEP]: { up: (db: Kysely<unknown>) => createBaseline(db, dialect) },
    ...dialect.ownSteps,
  };
}
