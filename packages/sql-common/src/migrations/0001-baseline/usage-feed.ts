import { type Kysely, sql } from 'kysely';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

async function createEntries(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await db.schema.createTable('usage_feed')
    .addColumn('position', 'bigint', (column) => column.primaryKey())
    .addColumn('late', 'smallint', (column) => column.notNull().check(sql`late in (0, 1)`))
    .addColumn('source', 'bigint', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .execute();
  // Ensures one position per settlement. Also used to find settlements without a position.
  await db.schema.createIndex('usage_feed_by_source').on('usage_feed').columns(['late', 'source']).unique().execute();
  await dialect.makeAppendOnly(db, 'usage_feed');
}

async function createState(db: Kysely<unknown>): Promise<void> {
  const numbers = ['last_position', 'records_through', 'late_through', 'pending_records', 'pending_late', 'pending_transaction'];
  const table = db.schema.createTable('usage_feed_state').addColumn('id', 'bigint', (column) => column.primaryKey().check(sql`id = 1`));
  await numbers.reduce((built, name) => built.addColumn(name, 'bigint', (column) => column.notNull()), table)
    .addColumn('open_from', 'text', (column) => column.notNull())
    .execute();
  await sql`insert into usage_feed_state (id, ${sql.join(numbers.map((name) => sql.ref(name)))}, open_from) values (1, 0, 0, 0, 0, 0, 0, '')`.execute(db);
}

/** Positions of settlements, in the order of booking; how far they are assigned; and the sums of days whose event is not stored yet. */
export async function createUsageFeed(db: Kysely<unknown>, dialect: SchemaDialect): Promise<void> {
  await createEntries(db, dialect);
  await createState(db);
  await db.schema.createTable('usage_booked_days')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('settlements', 'bigint', (column) => column.notNull())
    .addColumn('late_settlements', 'bigint', (column) => column.notNull())
    .addColumn('charge', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('usage_booked_days_key', ['day', 'account_id'])
    .execute();
}
