import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createBaseline } from './0001-baseline/baseline.js';
import type { SchemaDialect } from '../schema/schema-dialect.js';

/** Step that creates the whole schema in a new database. */
export const INITIAL_STEP = '0001-baseline';

/**
 * All steps of the schema, by name; the order of names is that of the steps. Released steps never change. Steps cannot be undone: an older program
 * refuses a newer database.
 */
export function migrationsFor(dialect: SchemaDialect): Readonly<Record<string, Migration>> {
  return {
    [INITIAL_STEP]: { up: (db: Kysely<unknown>) => createBaseline(db, dialect) },
    ...dialect.ownSteps,
  };
}
