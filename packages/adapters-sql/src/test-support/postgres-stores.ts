import { afterAll, beforeAll } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import type { ProcessId } from '@tollgate/core';
import { type PostgresServer, type PostgresServerOptions, startPostgresServer, STORE_NOON } from '@tollgate/testkit';
import { Client } from 'pg';
import { openPostgresStore, type PostgresStoreOptions } from '../postgres/open-postgres-store.js';
import type { SqlStore } from '../store/sql-store.js';
import { STORE_PROCESS } from './stores.js';

export interface PostgresFixture {
  readonly server: () => PostgresServer;
  /** URL of a new, empty database. */
  readonly createDatabase: () => Promise<string>;
  /** Opens a store on a database, as a process of the given name. */
  readonly open: (url: string, differences?: Partial<PostgresStoreOptions>) => Promise<SqlStore>;
  /** URL of a new database that has the schema and nothing in it. */
  readonly createStoreDatabase: () => Promise<string>;
  /** A store on a new database. */
  readonly openNew: () => Promise<SqlStore>;
}

/** Connections to the same database besides the one that asks. A connection that was closed goes a moment later. */
export const OTHERS = 'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

/** Runs statements on a connection of their own, and gives back the last one's rows. */
export async function onDatabase(url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** One server for a test file. */
export function postgresFixture(options: PostgresServerOptions = {}): PostgresFixture {
  let running: PostgresServer | null = null;
  let databases = 0;
  let templateMade: Promise<void> | null = null;
  const server = (): PostgresServer => {
    if (running === null) throw new Error('the server runs from beforeAll to afterAll');
    return running;
  };
  beforeAll(async () => {
    running = await startPostgresServer(options);
  });
  afterAll(async () => {
    await running?.stop();
  });
  const create = async (name: string, template: string): Promise<string> => {
    await onDatabase(server().url(), `create database ${name} template ${template}`);
    return server().url(name);
  };
  const createDatabase = (): Promise<string> => {
    databases += 1;
    return create(`test_${databases}`, 'template1');
  };
  const open = (url: string, differences: Partial<PostgresStoreOptions> = {}): Promise<SqlStore> => (
    openPostgresStore({ url, clock: new ManualClock(STORE_NOON), processId: STORE_PROCESS, ...differences }));
  /** Made once, since copying a schema is quicker than making it. */
  const createStoreDatabase = async (): Promise<string> => {
    templateMade ??= create('store_template', 'template1').then(open).then((store) => store.close());
    await templateMade;
    databases += 1;
    return create(`test_${databases}`, 'store_template');
  };
  return { server, createDatabase, open, createStoreDatabase, openNew: async () => open(await createStoreDatabase()) };
}

/** Throws what the audit finds; for after a test, whatever it did. */
export async function assertSoundBooks({ ledgerAudit }: Pick<SqlStore, 'ledgerAudit'>): Promise<void> {
  const { differences } = await ledgerAudit.verify();
  if (differences.length > 0) throw new Error(`the books do not balance: ${JSON.stringify(differences)}`);
}

export function processNamed(name: string): ProcessId {
  return `process_${name}` as ProcessId;
}
