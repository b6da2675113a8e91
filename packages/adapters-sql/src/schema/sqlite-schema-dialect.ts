import { sql, type Kysely } from 'kysely';
import type { SchemaDialect } from './schema-dialect.js';

async function forbid(db: Kysely<unknown>, table: string, event: 'update' | 'delete'): Promise<void> {
  await sql`
    create trigger ${sql.id(`${table}_no_${event}`)} before ${sql.raw(event)} on ${sql.table(table)}
    begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end
  `.execute(db);
}

/** All but what takes a connection of its own. SQLite numbers rows by itself only in a column declared exactly `integer primary key`. */
export const sqliteSchemaDialect: Omit<SchemaDialect, 'allowEntryKinds'> = {
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
