import {
  DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseSchema } from '../schema/database-schema.js';

/** Builds queries and runs none: whoever runs a script decides on which connection. */
export type Queries = Kysely<DatabaseSchema>;

export function sqliteQueries(): Queries {
  return new Kysely<DatabaseSchema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}
