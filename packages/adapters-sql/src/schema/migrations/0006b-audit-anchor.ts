import { type Kysely, sql } from 'kysely';

/**
 * Anchors the audit trail outside itself: how many entries were written, and the hash of the last one, so that entries cut off at the end show.
 * Entries from before this step are anchored as they are. Entries say from where an act came; older ones say nothing, and their hashes leave it out.
 */
export async function anchorAuditTrail(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('audit_anchor')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('entries', 'bigint', (column) => column.notNull())
    .addColumn('head', 'text', (column) => column.notNull())
    .execute();
  await sql`
    insert into audit_anchor (id, entries, head)
    select 1, coalesce(max(seq), 0), coalesce((select hash from audit_entries order by seq desc limit 1), '') from audit_entries
  `.execute(db);
  await db.schema.alterTable('audit_entries').addColumn('origin', 'text').execute();
  await db.schema.alterTable('audit_entries').addColumn('origin_user', 'text').execute();
}
