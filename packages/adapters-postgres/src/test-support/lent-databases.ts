import { Client } from 'pg';
import type { BackgroundConnections } from '../connection/background-connections.js';
import { openClient } from '../connection/open-client.js';
import { type Session, sessionOn } from '../connection/session.js';
import { closePools, type StorePools, storePools } from '../connection/store-pools.js';

/** Application name of connections that stay open between tests, idle while no store uses them. */
const KEPT = 'kept';

function keptUrl(url: string): string {
  return `${url}&application_name=${KEPT}`;
}

/** Query for other connections to the database, except those that stay open between tests. A closed connection is listed for a moment longer. */
export const OTHERS = `
  select 1 from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and application_name <> '${KEPT}'
`;

/**
 * Copies all rows and sequence positions, and creates the function that restores them. That function's statements are planned once per connection.
 */
export const COPY_FIRST_ROWS = `do $$
declare
  name text;
  filled boolean;
  removals text := '';
  copies text := '';
begin
  drop schema if exists first_rows cascade;
  create schema first_rows;
  create table first_rows.sequence_positions as select seqrelid::regclass as sequence, pg_sequence_last_value(seqrelid) as position from pg_sequence;
  for name in select tablename from pg_tables where schemaname = 'public' loop
    removals := removals || format('delete from %I;', name);
    execute format('select exists (select from %I)', name) into filled;
    if filled then
      execute format('create table first_rows.%1$I as table %1$I', name);
      copies := copies || format('insert into %1$I overriding system value table first_rows.%1$I;', name);
    end if;
  end loop;
  execute format($function$
    create function first_rows.restore() returns void language plpgsql as 'begin %s %s
      perform setval(sequence, coalesce(position, 1), position is not null) from first_rows.sequence_positions;
    end'
  $function$, removals, copies);
end $$`;

const EMPTY = 'select first_rows.restore()';
/** Also disables foreign keys, since triggers check them. Each change of this setting discards the connection's cached plans. */
const WITHOUT_TRIGGERS = 'set session_replication_role = replica';

/**
 * Connections that stay open between tests, because a new one spends most of its first task reading the catalogs. After a failed task the connection
 * is closed.
 */
class KeptConnections implements BackgroundConnections {
  readonly #free: Client[] = [];

  constructor(private readonly url: string) {}

  async use<T>(task: (session: Session) => Promise<T>): Promise<T> {
    const client = this.#free.pop() ?? await openClient(this.url, 'long');
    try {
      const result = await task(sessionOn(client));
      this.#free.push(client);
      return result;
    } catch (thrown) {
      await client.end();
      throw thrown;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#free.map((client) => client.end()));
  }
}

/** A database, and its connections that stay open between tests. `keeper` restores its first rows; it stays open to keep its cached plans. */
export class LentDatabase {
  readonly #free: StorePools[] = [];

  private constructor(readonly url: string, readonly keeper: Client, readonly background: KeptConnections) {}

  static async at(url: string): Promise<LentDatabase> {
    const keeper = new Client({ connectionString: url }).on('error', () => undefined);
    await keeper.connect();
    await keeper.query(WITHOUT_TRIGGERS);
    return new LentDatabase(url, keeper, new KeptConnections(keptUrl(url)));
  }

  /** Pools for one store. Statements run twice as fast on connections that were used before. The store itself is new. */
  takePools(): StorePools {
    return this.#free.pop() ?? storePools(keptUrl(this.url));
  }

  /** Takes back the pools of a closed store. */
  putBack(pools: StorePools): void {
    this.#free.push(pools);
  }

  async close(): Promise<void> {
    await Promise.all([this.keeper.end(), this.background.close(), ...this.#free.map(closePools)]);
  }
}

/** Databases that tests reuse: restoring one takes a fortieth of the time of creating one. */
export class LentDatabases {
  readonly #lent: LentDatabase[] = [];
  readonly #returned: LentDatabase[] = [];

  /** `create` must run `COPY_FIRST_ROWS` on the new database, or copy a database on which it ran. */
  constructor(private readonly create: () => Promise<string>) {}

  /** Lends a database with its first rows only. */
  async lend(): Promise<LentDatabase> {
    const database = await this.emptyReturned() ?? await LentDatabase.at(await this.create());
    this.#lent.push(database);
    return database;
  }

  /** Makes all lent databases available again; called at the end of each test. */
  takeBack(): void {
    this.#returned.push(...this.#lent.splice(0));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lent, ...this.#returned].map((database) => database.close()));
  }

  /** Restores a returned database; `null` if each has open connections. */
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
