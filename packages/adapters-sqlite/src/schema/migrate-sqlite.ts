import { migrate, type MigrationListener, migrationsFor, type SchemaDialect } from '@tollgate/sql-common';
import { CompiledQuery, type DatabaseConnection, Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import { repeatWhileBusy } from '../file/retry-while-busy.js';
import type { SqliteConnection } from '../file/sqlite-connection.js';

/** The kinds that the check of `ledger_entries` names, before and after a step. */
export interface EntryKinds {
  readonly earlier: readonly string[];
  readonly allowed: readonly string[];
}

/** How the schema declares which kinds there are: SQLite builds a table of each list of three or more values, every time it checks a row. */
function comparisonsOf(kinds: readonly string[]): string {
  return kinds.map((kind) => `kind = '${kind}'`).join(' or ');
}

/** The same in databases that certain earlier versions created. */
function listOf(kinds: readonly string[]): string {
  return `kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
}

function declarationOf(connection: SqliteConnection, table: string): string {
  return connection.prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").pluck().get(table) ?? '';
}

/**
 * Lets ledger entries be of more kinds. SQLite cannot change a check, so a new table replaces the old one and takes over its rows,
 * as https://sqlite.org/lang_altertable.html describes; no other table refers to it.
 */
export function allowEntryKinds(connection: SqliteConnection, { earlier, allowed }: EntryKinds): void {
  const declaration = declarationOf(connection, 'ledger_entries');
  const changed = declaration.replace(listOf(earlier), () => comparisonsOf(earlier)).replace(comparisonsOf(earlier), () => comparisonsOf(allowed));
  if (changed === declaration || declaration.includes(comparisonsOf(allowed))) return;
  const dependents = connection.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE tbl_name = 'ledger_entries' AND type <> 'table' AND sql IS NOT NULL").pluck().all();
  connection.exec(changed.replace(/ledger_entries/, 'ledger_entries_new'));
  const columns = connection.prepare<[], string>("SELECT name FROM pragma_table_info('ledger_entries')").pluck().all().join(', ');
  connection.exec(`INSERT INTO ledger_entries_new (${columns}) SELECT ${columns} FROM ledger_entries`);
  connection.exec('DROP TABLE ledger_entries');
  connection.exec('ALTER TABLE ledger_entries_new RENAME TO ledger_entries');
  for (const dependent of dependents) connection.exec(dependent);
}

/** The texts of responses are in files beside the database from here on; those that are there stay in their rows until they expire. */
function placeResponses(connection: SqliteConnection): void {
  connection.exec(`
    ALTER TABLE stored_responses ADD COLUMN segment integer;
    ALTER TABLE stored_responses ADD COLUMN position integer NOT NULL DEFAULT 0;
    ALTER TABLE stored_responses ADD COLUMN length integer NOT NULL DEFAULT 0;
    CREATE INDEX stored_responses_by_segment ON stored_responses (segment, length) WHERE segment IS NOT NULL;
  `);
}

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
  constructor(private readonly database: SqliteConnection) {
    super({ database });
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite has rolled back by itself where the disk is full; a second rollback would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.database.inTransaction) await super.rollbackTransaction(connection);
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
    return new ImmediateDriver(this.database);
  }
}

/** With the steps that go beyond what the query builder can say. */
function schemaDialectOf(connection: SqliteConnection): SchemaDialect {
  const ownSteps = {
    ...sqliteSchemaDialect.ownSteps,
    // Earlier versions rewrote two checks here, from lists to comparisons and back; both allow the same values.
    '0005-checks-without-lists': { up: () => Promise.resolve() },
    '0025-plain-checks': { up: () => Promise.resolve() },
    '0027-places-of-responses': { up: async () => placeResponses(connection) },
  };
  return { ...sqliteSchemaDialect, ownSteps, allowEntryKinds: async (_db, kinds) => allowEntryKinds(connection, kinds) };
}

/** All steps of the schema, by name; each is taken on this connection. */
export function sqliteMigrations(connection: SqliteConnection): ReturnType<typeof migrationsFor> {
  return migrationsFor(schemaDialectOf(connection));
}

/** Brings the schema of an open database up to date, waiting for others that do the same. The connection stays the caller's to close. */
export function migrateSqlite(connection: SqliteConnection, onMigrated: MigrationListener): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new ImmediateDialect(connection) });
  return repeatWhileBusy(() => migrate(db, { migrations: sqliteMigrations(connection), onMigrated }));
}
