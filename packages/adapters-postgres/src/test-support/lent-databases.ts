import { Client } from 'pg';

/** Connections to the same database besides the one that asks. A connection that was closed goes a moment later. */
export const OTHERS = "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'";

/** Copies the rows that the schema begins with to where `EMPTY` finds them. */
export const COPY_FIRST_ROWS = `do $$
declare
  name text;
  filled boolean;
begin
  create schema first_rows;
  for name in select tablename from pg_tables where schemaname = 'public' loop
    execute format('select exists (select from %I)', name) into filled;
    if filled then
      execute format('create table first_rows.%1$I as table %1$I', name);
    end if;
  end loop;
end $$`;

/** Leaves the rows that the schema begins with. Triggers and foreign keys do not refuse it. */
const EMPTY = `do $$
declare
  name text;
begin
  set local session_replication_role = replica;
  for name in select tablename from pg_tables where schemaname = 'public' loop
    execute format('delete from %I', name);
  end loop;
  for name in select tablename from pg_tables where schemaname = 'first_rows' loop
    execute format('insert into %1$I overriding system value table first_rows.%1$I', name);
  end loop;
  perform setval(format('%I.%I', schemaname, sequencename), 1, false) from pg_sequences;
end $$`;

/** A database, and the connection that empties it, which stays open since its caches are warm. */
interface LentDatabase {
  readonly url: string;
  readonly keeper: Client;
}

async function keptDatabase(url: string): Promise<LentDatabase> {
  const keeper = new Client({ connectionString: url });
  await keeper.connect();
  return { url, keeper };
}

/** Databases that one test uses after the other. Emptying one takes a fortieth of the time of creating it. */
export class LentDatabases {
  readonly #lent: LentDatabase[] = [];
  readonly #returned: LentDatabase[] = [];

  /** `create` makes a database that `COPY_FIRST_ROWS` was run on, or a copy of one. */
  constructor(private readonly create: () => Promise<string>) {}

  /** URL of an empty database. */
  async lend(): Promise<string> {
    const database = await this.emptyReturned() ?? await keptDatabase(await this.create());
    this.#lent.push(database);
    return database.url;
  }

  /** Call it when a test has ended. */
  takeBack(): void {
    this.#returned.push(...this.#lent.splice(0));
  }

  async close(): Promise<void> {
    await Promise.all(this.#returned.map(({ keeper }) => keeper.end()));
  }

  /** `null` if connections to all of them are still open; those are left for a later test. */
  private async emptyReturned(): Promise<LentDatabase | null> {
    for (const database of this.#returned) {
      if ((await database.keeper.query(OTHERS)).rowCount !== 0) continue;
      await database.keeper.query(EMPTY);
      this.#returned.splice(this.#returned.indexOf(database), 1);
      return database;
    }
    return null;
  }
}
