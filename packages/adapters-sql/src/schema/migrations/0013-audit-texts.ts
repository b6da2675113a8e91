import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../schema-dialect.js';

/** Ids of accounts that entries from before this step concern, as far as the database still knows. */
async function fillAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    update audit_entries set account_id = case
      when action like 'account.%' then subject
      when action like 'key.%' then (select account_id from api_keys where api_keys.id = audit_entries.subject)
      when action like 'person.%' then (select account_id from people where people.id = audit_entries.subject)
    end
  `.execute(db);
}

/**
 * Personal texts stand beside the audit trail, where they can be erased; entries hold salted hashes of them. Entries say which account they
 * concern and are found by it, by actor and by action. Hashes of entries from before this step leave both out.
 */
export async function addAuditTexts(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('audit_texts')
    .addColumn('entry', 'bigint', (column) => column.notNull())
    .addColumn('field', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('salt', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_texts_key', ['entry', 'field'])
    .execute();
  await db.schema.createIndex('audit_texts_by_owner').on('audit_texts').column('owner').execute();
  await db.schema.alterTable('audit_entries').addColumn('account_id', 'text').execute();
  await db.schema.alterTable('audit_entries').addColumn('texts', 'text').execute();
  await dialect.allowChanges(db, 'audit_entries');
  await fillAccounts(db);
  await dialect.makeAppendOnly(db, 'audit_entries');
  await db.schema.createIndex('audit_entries_by_time').on('audit_entries').columns(['at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_account').on('audit_entries').columns(['account_id', 'at', 'seq'])
    .where(sql.ref('account_id'), 'is not', null).execute();
  await db.schema.createIndex('audit_entries_by_actor').on('audit_entries').columns(['actor_id', 'at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_kind').on('audit_entries').columns(['actor_kind', 'at', 'seq']).execute();
  await db.schema.createIndex('audit_entries_by_action').on('audit_entries').columns(['action', 'at', 'seq']).execute();
}
