import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../schema-dialect.js';

/** What operators switch. */
export async function createPlatform(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('platform_settings')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createTable('network_blocks')
    .addColumn('network', 'text', (column) => column.primaryKey())
    .addColumn('reason', 'text')
    .addColumn('blocked_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createTable('incident_limits')
    .addColumn('model', 'text', (column) => column.primaryKey())
    .addColumn('requests_per_minute', 'bigint')
    .addColumn('tokens_per_minute', 'bigint')
    .addColumn('concurrent_requests', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute();
}

/** The hash-chained record of who changed what. */
export async function createAuditTrail(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('audit_entries')
    .addColumn('seq', 'bigint', (column) => column.primaryKey().check(sql`seq > 0`))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor_kind', 'text', (column) => column.notNull())
    .addColumn('actor_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await dialect.makeAppendOnly(db, 'audit_entries');
}
