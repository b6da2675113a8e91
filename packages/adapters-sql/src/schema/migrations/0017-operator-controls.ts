import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../schema-dialect.js';

async function createBlocks(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('blocks')
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind = 'account' or kind = 'key' or kind = 'network'`))
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('blocked_by', 'text')
    .addColumn('blocked_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addPrimaryKeyConstraint('blocks_key', ['kind', 'subject'])
    .execute();
  await db.schema.createIndex('blocks_by_age').on('blocks').columns(['blocked_at', 'kind', 'subject']).execute();
  await db.schema.createIndex('blocks_by_expiry').on('blocks').column('expires_at').where(sql.ref('expires_at'), 'is not', null).execute();
}

/** Blocks from before this step end by an operator alone; of accounts and keys it is not known since when they are blocked. */
async function moveBlocks(db: Kysely<unknown>): Promise<void> {
  await sql`insert into blocks (kind, subject, reason, blocked_at) select 'network', network, reason, blocked_at from network_blocks`.execute(db);
  await sql`insert into blocks (kind, subject, blocked_at) select 'account', id, created_at from accounts where blocked = 1`.execute(db);
  await sql`insert into blocks (kind, subject, blocked_at) select 'key', id, created_at from api_keys where blocked = 1`.execute(db);
  await db.schema.dropTable('network_blocks').execute();
}

/** One list of blocks with reason, actor and expiry; maintenance with times and a message; the actor of incident limits; why mail is tried again. */
export async function addOperatorControls(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createBlocks(db);
  await moveBlocks(db);
  await dialect.announcePlatform(db, 'blocks');
  await sql`delete from platform_settings where name = 'maintenance' and value <> 'on'`.execute(db);
  await sql`
    update platform_settings set value = '{"startsAt":0,"endsAt":null,"message":null,"setBy":null,"setAt":0}' where name = 'maintenance'
  `.execute(db);
  await db.schema.alterTable('incident_limits').addColumn('set_by', 'text').execute();
  await db.schema.alterTable('mail_outbox').addColumn('last_failure', 'text').execute();
  await db.schema.createIndex('mail_outbox_by_age').on('mail_outbox').columns(['stored_at', 'id']).execute();
}
