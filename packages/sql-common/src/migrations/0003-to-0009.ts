import { type Kysely, sql } from 'kysely';

/** Requests that their clients may send again, for as long as they are kept. */
export async function createIdempotencyKeys(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('idempotency_keys')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('finished', 'smallint', (column) => column.notNull())
    .addColumn('reply', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['account_id', 'key'])
    .execute();
  await db.schema.createIndex('idempotency_keys_by_expiry').on('idempotency_keys').column('expires_at').execute();
  await db.schema.createIndex('idempotency_keys_running').on('idempotency_keys').column('owner_id')
    .where(sql.ref('finished'), '=', sql.lit(0)).execute();
}

/**
 * Records by model and by key are found through the daily sums from here on, which every settlement keeps up anyway. Each of the two indexes
 * had a settlement write a page of its own, since accounts that are served one after another are far apart in them.
 */
export async function dropIndexesByModelAndKey(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('usage_records_by_model').execute();
  await db.schema.dropIndex('usage_records_by_key').execute();
}

/** Records say whether thinking was kept from the client. Until now none was. */
export async function addReasoningWithheld(db: Kysely<unknown>): Promise<void> {
  for (const table of ['usage_records', 'late_settlements']) {
    await db.schema.alterTable(table).addColumn('reasoning_withheld', 'smallint', (column) => column.notNull().defaultTo(0)).execute();
  }
}

/** Each setting of an incident limit begins with counts of its own, which the time of the setting names. Limits from before this step share one. */
export async function addIncidentLimitSetting(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('incident_limits')
    .addColumn('set_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}

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

/** Mail between its hand-over and its end. Only a waiting message has contents. */
export async function createMailOutbox(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('mail_outbox')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('recipient', 'text')
    .addColumn('subject', 'text')
    .addColumn('body_text', 'text')
    .addColumn('body_html', 'text')
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('stored_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addCheckConstraint('mail_outbox_contents', sql`
      (state = 'waiting') = (recipient is not null) and (state = 'waiting') = (subject is not null) and (state = 'waiting') = (body_text is not null)
      and (state = 'waiting') = (body_html is not null) and (state = 'waiting') = (ended_at is null)
    `)
    .execute();
  await db.schema.createIndex('mail_outbox_waiting').on('mail_outbox').columns(['due_at', 'id'])
    .where(sql.ref('state'), '=', sql.lit('waiting')).execute();
  await db.schema.createIndex('mail_outbox_ended').on('mail_outbox').column('ended_at')
    .where(sql.ref('ended_at'), 'is not', null).execute();
}

/** Remembers which secret the gateways of this database share, so that one with another secret does not start. */
export async function createInstallation(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('installation')
    .addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`))
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('recorded_at', 'bigint', (column) => column.notNull())
    .execute();
}
