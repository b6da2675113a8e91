import {
  type Compilable, type Dialect, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type RawBuilder, SqliteAdapter,
  SqliteIntrospector, SqliteQueryCompiler, sql,
} from 'kysely';
import type { DatabaseSchema } from '../schema/database-schema.js';

/** Builds queries, but cannot run them. */
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

export function compilable<Row>(queries: Queries, query: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => query.compile(queries) };
}

/** Locks the selected rows until the commit. SQLite needs no lock, because it has one writer at a time. */
export function locking<Query extends { forNoKeyUpdate(): Query }>(queries: Queries, query: Query): Query {
  return isPostgres(queries) ? query.forNoKeyUpdate() : query;
}

/** Locks the rows of a raw query like a foreign key does: deletions and changes of their unique columns wait for the commit, other changes do not. */
export function lockingKeyShare(queries: Queries): RawBuilder<unknown> {
  return isPostgres(queries) ? sql`for key share` : sql``;
}

function isPostgres(queries: Queries): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}
