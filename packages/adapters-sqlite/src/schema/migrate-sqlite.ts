import { migrate, type MigrationSource, migrationsFor, type SchemaDialect } from '@tollgate/sql-common';
import { CompiledQuery, type DatabaseConnection, Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import { repeatWhileBusy } from '../file/retry-while-busy.js';
import { hasTable, type SqliteConnection } from '../file/sqlite-connection.js';

async function forbid(db: Kysely<unknown>, table: string, event: 'update' | 'delete'): Promise<void> {
  await sql`
    create trigger ${sql.id(`${table}_no_${event}`)} before ${sql.raw(event)} on ${sql.table(table)}
    begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end
  `.execute(db);
}

/** Begins each transaction with the write lock, so that processes that start concurrently wait until one has migrated. */
class ImmediateDriver extends SqliteDriver {
  constructor(private readonly database: SqliteConnection) {
    super({ database });
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite has already rolled back if the disk is full. A second rollback would fail, and hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Declares that schema changes are transactional in SQLite, which Kysely does not assume. */
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
    return new ImmediateDriver(this.database);
  }
}

/** `sequence` uses the type `integer` because SQLite generates numbers only for a column declared as `integer primary key`. */
const sqliteSchemaDialect: SchemaDialect = {
  sequenceType: 'integer',
  sequence: (column) => column.primaryKey().autoIncrement(),
  makeAppendOnly: async (db, table) => {
    await forbid(db, table, 'update');
    await forbid(db, table, 'delete');
  },
  ownSteps: {},
};

export const SQLITE_MIGRATIONS = migrationsFor(sqliteSchemaDialect);

/** Waits while another process migrates. The caller closes the connection. */
export function migrateSqlite(connection: SqliteConnection, source: MigrationSource): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new ImmediateDialect(connection) });
  return repeatWhileBusy(() => migrate({ db, hasTable: async (name) => hasTable(connection, name) }, source));
}
