import {
  type Dialect, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, SqliteAdapter, SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseSchema } from '../schema/database-schema.js';

/** Builds queries and runs none: whoever runs a script decides on which connection. */
export type Queries = Kysely<DatabaseSchema>;

function queriesOf(dialect: Omit<Dialect, 'createDriver'>): Queries {
  return new Kysely<DatabaseSchema>({ dialect: { ...dialect, createDriver: () => new DummyDriver() } });
}

export function sqliteQueries(): Queries {
  return queriesOf({
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  });
}

export function postgresQueries(): Queries {
  return queriesOf({
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });
}
