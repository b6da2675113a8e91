import { join } from 'node:path';
import type { DatabaseLocation } from '@tollgate/sql-common';
import { startPostgresServer } from '@tollgate/testkit/programs';
import { Client } from 'pg';
import { type DatabaseView, viewPostgres, viewSqlite } from '../books/database-view.js';
import type { SetupName } from '../setups/setup.js';
import { NaiveReader } from './feed-readers.js';

/** A new database of one kind, and how a round uses it. */
export interface FeedGround {
  readonly database: DatabaseLocation;
  readonly url: string;
  readonly gateways: number;
  /** Opens a view; the database must already have its tables. */
  openView(): DatabaseView;
  /** `null` if the database gives numbers in the order of commits, so that a naive reader would miss nothing. */
  openNaiveReader(): Promise<NaiveReader | null>;
  /** Query for the number of transactions of killed processes that still run. */
  readonly running: string;
}

export interface Deferring {
  /** Registers a function that is called after the round, even if the round fails. The last registered is called first. */
  readonly defer: (close: () => unknown) => void;
}

function onFile(folder: string): FeedGround {
  const path = join(folder, 'tollgate.db');
  return {
    database: { kind: 'sqlite', path }, url: `sqlite:${path}`, gateways: 1, openView: () => viewSqlite(path), openNaiveReader: () => Promise.resolve(null), running: 'select 0',
  };
}

async function onServer({ defer }: Deferring): Promise<FeedGround> {
  const server = await startPostgresServer();
  defer(() => server.stop());
  const url = server.url();
  return {
    database: { kind: 'postgres', url }, url, gateways: 2, openView: () => viewPostgres(url),
    openNaiveReader: async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      defer(() => client.end());
      return new NaiveReader(client);
    },
    running: "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'",
  };
}

export function openGround(name: SetupName, folder: string, deferring: Deferring): Promise<FeedGround> {
  return name === 'sqlite' ? Promise.resolve(onFile(folder)) : onServer(deferring);
}
