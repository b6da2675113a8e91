import { migrate, type MigrationListener, migrationsFor, type SchemaDialect } from '@tollgate/sql-common';
import { CompiledQuery, type DatabaseConnection, Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import { allowEntryKinds, restorePlainChecks } from './checks.js';
import type { SqliteConnection } from './sqlite-connection.js';
import { repeatWhileBusy } from './sqlite-errors.js';

async function forbid(db: Kysely<unknown>, table: string, event: 'update' | 'delete'): Promise<void> {
  await sql`
    create trigger ${sql.id(`${table}_no_${event}`)} before ${sql.raw(event)} on ${sql.table(table)}
    begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end
  `.execute(db);
}

/** All but what takes a connection of its own. SQLite numbers rows by itself only in a column declared exactly `integer primary key`. */
const sqliteSchemaDialect: Omit<SchemaDialect, 'allowEntryKinds'> = {
  sequenceType: 'integer',
  sequence: (column) => column.primaryKey().autoIncrement(),
  makeAppendOnly: async (db, table) => {
    await forbid(db, table, 'update');
    await forbid(db, table, 'delete');
  },
  allowChanges: async (db, table) => {
    for (const event of ['update', 'delete']) await sql`drop trigger if exists ${sql.id(`${table}_no_${event}`)}`.execute(db);
  },
  // Every process sees by the database's version number that something changed.
  announcePlatform: () => Promise.resolve(),
  ownSteps: {},
};

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
  const ownSteps = {
    ...sqliteSchemaDialect.ownSteps,
    // Earlier versions rewrote two checks here, which `0025-plain-checks` undoes.
    '0005-checks-without-lists': { up: () => Promise.resolve() },
    '0025-plain-checks': { up: async () => restorePlainChecks(connection) },
  };
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
