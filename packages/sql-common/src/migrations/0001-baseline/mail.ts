import { type Kysely, sql } from 'kysely';

/** Messages, from their acceptance to the end of tracing. Only waiting messages have contents. */
export async function createMailOutbox(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('mail_outbox')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('reference', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('rank', 'bigint', (column) => column.notNull())
    .addColumn('recipient', 'text', (column) => column.notNull())
    .addColumn('domain', 'text')
    .addColumn('subject', 'text')
    .addColumn('body_text', 'text')
    .addColumn('body_html', 'text')
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('last_failure', 'text')
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('leased_until', 'bigint')
    .addColumn('stored_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addCheckConstraint('mail_outbox_contents', sql`
      (state = 'waiting') = (subject is not null) and (state = 'waiting') = (body_text is not null)
      and (state = 'waiting') = (body_html is not null) and (state = 'waiting') = (ended_at is null)
    `)
    .execute();
  // Messages are claimed in the order of rank, one at a time per domain.
  await db.schema.createIndex('mail_outbox_waiting').on('mail_outbox').columns(['rank', 'due_at', 'id'])
    .where(sql.ref('state'), '=', sql.lit('waiting')).execute();
  await db.schema.createIndex('mail_outbox_leased').on('mail_outbox').columns(['domain', 'leased_until'])
    .where(sql.ref('leased_until'), 'is not', null).execute();
  await db.schema.createIndex('mail_outbox_ended').on('mail_outbox').column('ended_at')
    .where(sql.ref('ended_at'), 'is not', null).execute();
  // Messages are erased by address and by account.
  await db.schema.createIndex('mail_outbox_by_recipient').on('mail_outbox').columns(['recipient', 'stored_at']).execute();
  await db.schema.createIndex('mail_outbox_by_account').on('mail_outbox').column('account_id')
    .where(sql.ref('account_id'), 'is not', null).execute();
  await db.schema.createIndex('mail_outbox_by_age').on('mail_outbox').columns(['stored_at', 'id']).execute();
}
