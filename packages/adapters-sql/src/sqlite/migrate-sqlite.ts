import { CompiledQuery, type DatabaseConnection, Kysely, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import { migrate, type MigrationListener } from '../schema/migrate.js';
import { migrationsFor } from '../schema/migrations/migrations.js';
import type { SchemaDialect } from '../schema/schema-dialect.js';
import { sqliteSchemaDialect } from '../schema/sqlite-schema-dialect.js';
import { repeatWhileBusy } from './busy.js';
import { allowEntryKinds, writeChecksWithoutLists } from './checks-without-lists.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** Takes the write lock first, so that of two processes that start together one waits until the other has migrated. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** SQLite undoes changes of the schema like any others, which the query builder does not assume of it. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateDialect extends SqliteDialect {
  constructor(private readonly database: SqliteConnection) {
    super({ database });
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver({ database: this.database });
  }
}

/** With the steps that go beyond what the query builder can say. */
function schemaDialectOf(connection: SqliteConnection): SchemaDialect {
  const ownSteps = { ...sqliteSchemaDialect.ownSteps, '0005-checks-without-lists': { up: async () => writeChecksWithoutLists(connection) } };
  return { ...sqliteSchemaDialect, ownSteps, allowEntryKinds: async (_db, kinds) => allowEntryKinds(connection, kinds) };
}

/** Every step of the schema; each is taken on this connection. */
export function sqliteMigrations(connection: SqliteConnection): ReturnType<typeof migrationsFor> {
  return migrationsFor(schemaDialectOf(connection));
}

/** Brings the schema of an open database up to date, waiting for others that do the same. The connection stays the caller's to close. */
export function migrateSqlite(connection: SqliteConnection, onMigrated: MigrationListener): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new ImmediateDialect(connection) });
  return repeatWhileBusy(() => migrate(db, { migrations: sqliteMigrations(connection), onMigrated }));
}
