import {
  compareSteps, type InspectedDatabase, INSTALLATION_STEP, migrate, MIGRATION_TABLE, type MigrationListener, migrationsFor,
  type SchemaDialect,
} from '@tollgate/sql-common';
import { CompiledQuery, type DatabaseConnection, Kysely, sql, SqliteAdapter, SqliteDialect, SqliteDriver } from 'kysely';
import Database from 'better-sqlite3';
import { repeatWhileBusy, requireDatabase, type SqliteConnection } from './sqlite-connection.js';

/** The kinds that the check of `ledger_entries` names, before and after a step. */
export interface EntryKinds {
  readonly earlier: readonly string[];
  readonly allowed: readonly string[];
}

function listOf(column: string, values: readonly string[]): string {
  return `${column} in (${values.map((value) => `'${value}'`).join(', ')})`;
}

/** How versions before step `0025-plain-checks` declared the same check. */
function comparisonsOf(column: string, values: readonly string[]): string {
  return values.map((value) => `${column} = '${value}'`).join(' or ');
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
  const changed = declaration.replace(comparisonsOf('kind', earlier), () => listOf('kind', earlier)).replace(listOf('kind', earlier), () => listOf('kind', allowed));
  if (changed === declaration || declaration.includes(comparisonsOf('kind', allowed))) return;
  const dependents = connection.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE tbl_name = 'ledger_entries' AND type <> 'table' AND sql IS NOT NULL").pluck().all();
  connection.exec(changed.replace(/ledger_entries/, 'ledger_entries_new'));
  connection.exec('INSERT INTO ledger_entries_new SELECT * FROM ledger_entries');
  connection.exec('DROP TABLE ledger_entries');
  connection.exec('ALTER TABLE ledger_entries_new RENAME TO ledger_entries');
  for (const dependent of dependents) connection.exec(dependent);
}

/** The checks that versions before step `0025-plain-checks` rewrote. */
const REWRITTEN: readonly (readonly [table: string, column: string, values: readonly string[]])[] = [
  ['reservations', 'state', ['held', 'settled', 'released', 'expired']],
  ['ledger_entries', 'kind', ['top-up', 'charge', 'write-off', 'late-charge', 'late-write-off', 'signup-credit', 'refund', 'correction', 'forfeiture']],
];

/**
 * Declares the checks as lists again in a database where an earlier version rewrote them as comparisons, and touches no other. Only the declaration
 * changes and no row, since both forms allow the same values: https://sqlite.org/lang_altertable.html permits that without copying the table.
 */
function restorePlainChecks(connection: SqliteConnection): void {
  const rewritten = REWRITTEN.filter(([table, column, values]) => declarationOf(connection, table).includes(comparisonsOf(column, values)));
  if (rewritten.length === 0) return;
  const version = connection.pragma('schema_version', { simple: true }) as bigint;
  connection.unsafeMode(true);
  try {
    connection.pragma('writable_schema = ON');
    const rewrite = connection.prepare<[comparisons: string, list: string, table: string]>(
      "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?");
    for (const [table, column, values] of rewritten) rewrite.run(comparisonsOf(column, values), listOf(column, values), table);
    // Every connection that has read the schema before, this one among them, reads it again.
    connection.pragma(`schema_version = ${version + 1n}`);
  } finally {
    connection.pragma('writable_schema = OFF');
    connection.unsafeMode(false);
  }
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
function sqliteMigrations(connection: SqliteConnection): ReturnType<typeof migrationsFor> {
  return migrationsFor(schemaDialectOf(connection));
}

/** Brings the schema of an open database up to date, waiting for others that do the same. The connection stays the caller's to close. */
export function migrateSqlite(connection: SqliteConnection, onMigrated: MigrationListener): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new ImmediateDialect(connection) });
  return repeatWhileBusy(() => migrate(db, { migrations: sqliteMigrations(connection), onMigrated }));
}

const WAIT_MILLISECONDS = 5_000;

/** Throws `MissingDatabaseError` and what SQLite says against the file. */
export function inspectSqlite(file: string): InspectedDatabase {
  requireDatabase(file);
  const connection = new Database(file, { timeout: WAIT_MILLISECONDS, fileMustExist: true });
  try {
    const applied = connection.prepare<[], string>(`SELECT name FROM ${MIGRATION_TABLE}`).pluck().all();
    return {
      outcome: 'inspected',
      ...compareSteps(applied, Object.keys(sqliteMigrations(connection))),
      fingerprint: applied.includes(INSTALLATION_STEP) ? fingerprintIn(connection) : null,
      clockAheadMilliseconds: null,
    };
  } finally {
    connection.close();
  }
}

function fingerprintIn(connection: SqliteConnection): string | null {
  return connection.prepare<[], string>('SELECT fingerprint FROM installation').pluck().get() ?? null;
}
