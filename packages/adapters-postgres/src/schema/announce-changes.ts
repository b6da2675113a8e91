import { type Kysely, sql } from 'kysely';

/** The channel on which the database itself tells of changes, in the transaction that makes them. */
export const CHANGE_CHANNEL = 'tollgate_changes';

interface Announcement {
  readonly table: string;
  /** Settlements must not announce anything, so the columns they write are not among these. */
  readonly when: string;
  readonly kind: 'account' | 'key' | 'platform';
}

const ANNOUNCEMENTS: readonly Announcement[] = [
  { table: 'accounts', kind: 'account', when: 'delete or update of email, name, plan_id, status, email_verified, blocked' },
  { table: 'api_keys', kind: 'key', when: 'delete or update of name, hash, expires_at, revoked_at, blocked' },
  ...['platform_settings', 'network_blocks', 'incident_limits'].map((table): Announcement => (
    { table, kind: 'platform', when: 'insert or delete or update' })),
];

/** Announces changes of further columns of keys: the trigger is created again with all of them. */
export async function announceKeyChanges(db: Kysely<unknown>, columns: readonly string[]): Promise<void> {
  await sql`drop trigger api_keys_announced on api_keys`.execute(db);
  await sql`
    create trigger api_keys_announced after delete or update of ${sql.raw(columns.join(', '))} on api_keys
    for each row execute function tollgate_announce_change('key')
  `.execute(db);
}

/** Announces every change of one more table of the platform's state. */
export async function announcePlatformTable(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`
    create trigger ${sql.id(`${table}_announced`)} after insert or delete or update on ${sql.table(table)}
    for each row execute function tollgate_announce_change('platform')
  `.execute(db);
}

/** Makes every change that others may have cached known to all who listen, whichever program makes it. */
export async function announceChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tollgate_announce_change() returns trigger language plpgsql as $$
    begin
      if tg_argv[0] = 'platform' then
        perform pg_notify(${sql.lit(CHANGE_CHANNEL)}, 'platform');
      else
        perform pg_notify(${sql.lit(CHANGE_CHANNEL)}, tg_argv[0] || ':' || old.id);
      end if;
      return null;
    end $$
  `.execute(db);
  for (const { table, when, kind } of ANNOUNCEMENTS) {
    await sql`
      create trigger ${sql.id(`${table}_announced`)} after ${sql.raw(when)} on ${sql.table(table)}
      for each row execute function tollgate_announce_change(${sql.lit(kind)})
    `.execute(db);
  }
}
