import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

async function createAuditEntries(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('audit_entries')
    .addColumn('seq', 'bigint', (column) => column.primaryKey().check(sql`seq > 0`))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('texts', 'text', (column) => column.notNull())
    .addColumn('via', 'text')
    .execute();
  await db.schema.createIndex('audit_entries_by_time').on('audit_entries').columns(['at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_account').on('audit_entries').columns(['account_id', 'at', 'seq'])
    .where(sql.ref('account_id'), 'is not', null).execute();
  await db.schema.createIndex('audit_entries_by_actor').on('audit_entries').columns(['actor_id', 'at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_kind').on('audit_entries').columns(['actor_kind', 'at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_action').on('audit_entries').columns(['action', 'at', 'seq']).execute();
  await dialect.makeAppendOnly(db, 'audit_entries');
}

/**
 * Audit log, whose entries form a chain of hashes. Personal texts are in a separate table, so that they can be erased; entries contain their salted
 * digests. The anchor contains the number of entries and the last hash, so that a truncation is detected.
 */
export async function createAuditTrail(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createAuditEntries(db, dialect);
  await db.schema.createTable('audit_texts')
    .addColumn('entry', 'bigint', (column) => column.notNull())
    .addColumn('field', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('salt', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_texts_key', ['entry', 'field'])
    .execute();
  await db.schema.createIndex('audit_texts_by_owner').on('audit_texts').column('owner').execute();
  await db.schema.createTable('audit_anchor')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('entries', 'bigint', (column) => column.notNull())
    .addColumn('head', 'text', (column) => column.notNull())
    .execute();
  await sql`insert into audit_anchor (id, entries, head) values (1, 0, '')`.execute(db);
}
