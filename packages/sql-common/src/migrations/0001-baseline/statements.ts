import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('statement_names')
    .addColumn('number', 'bigint', (column) => column.primaryKey().references('statements.number'))
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('names', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('statement_names_by_account').on('statement_names').column('account_id').execute();
  await db.schema.createTable('statement_files')
    .addColumn('number', 'bigint', (column) => column.notNull().references('statements.number'))
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('named', 'smallint', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('statement_files_key', ['number', 'format', 'named'])
    .execute();
  await db.schema.createIndex('statement_files_by_account').on('statement_files').column('account_id').execute();
}

/**
 * Statements, the names in them, printed files, and the progress of making statements. An erasure deletes the names, and the files that contain them.
 */
export async function createStatements(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('statements')
    .addColumn('number', 'bigint', (column) => column.primaryKey().check(sql`number > 0`))
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('month', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('opening', 'bigint', (column) => column.notNull())
    .addColumn('closing', 'bigint', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addColumn('through_entry', 'bigint', (column) => column.notNull())
    .addColumn('complete_through', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('statements_by_account').on('statements').columns(['account_id', 'month']).unique().execute();
  await db.schema.createIndex('statements_by_month').on('statements').columns(['month', 'number']).execute();
  await dialect.makeAppendOnly(db, 'statements');
  await createFiles(db);
  await db.schema.createTable('statement_state')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('last_number', 'bigint', (column) => column.notNull())
    .addColumn('month', 'text')
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('after_account', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('claimed_until', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into statement_state (id, last_number, ends_at, after_account, version, claimed_until) values (1, 0, 0, '', 0, 0)`.execute(db);
}
