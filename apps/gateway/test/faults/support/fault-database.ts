import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessId } from '@tollgate/core';
import { SystemClock } from '@tollgate/adapters-node';
import { openPostgresStore } from '@tollgate/adapters-postgres';
import { openWithoutThread } from '@tollgate/adapters-sqlite/testing';
import type { SqlStore } from '@tollgate/sql-common';
import { type NetworkProxy, type PostgresServer, startNetworkProxy } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { Pool } from 'pg';
import { startMigratedPostgres } from '../../../src/test-support/migrated-postgres.js';

export type Row = Readonly<Record<string, unknown>>;

/** A database that a test can break, and connections to it that the fault does not affect. */
export interface FaultDatabase {
  /** Connection URL for the gateways; PostgreSQL is reached through the faulty network. */
  readonly url: string;
  /** Folder for the other files of the gateways. */
  readonly folder: string;
  /** Runs a query. Rejects while the database is away. */
  rows(query: string): Promise<readonly Row[]>;
  /** Opens a store without the faulty network, as another process would. */
  open(): Promise<SqlStore>;
  /** Deletes the database; no process may have it open. */
  remove(): Promise<void>;
}

export interface FaultPostgres extends FaultDatabase {
  readonly server: PostgresServer;
  readonly network: NetworkProxy;
}

/** Maximum number of connections to PostgreSQL for the queries of tests. */
const OBSERVERS = 2;
const AUDITOR = 'proc_auditor' as ProcessId;

export async function startFaultPostgres(): Promise<FaultPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-faults-'));
  const server = await startMigratedPostgres();
  const network = await startNetworkProxy(server.socket);
  const direct = server.url();
  const observers = new Pool({ connectionString: direct, max: OBSERVERS }).on('error', () => undefined);
  return {
    server,
    network,
    folder,
    url: `postgresql://tollgate@127.0.0.1:${network.port}/postgres`,
    rows: async (query) => (await observers.query<Record<string, unknown>>(query)).rows,
    open: () => openPostgresStore({ url: direct, clock: new SystemClock(), processId: AUDITOR }),
    remove: async () => {
      await observers.end();
      await network.stop();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

export interface FaultSqlite extends FaultDatabase {
  readonly file: string;
}

export function makeFaultSqlite(within = tmpdir()): FaultSqlite {
  const folder = mkdtempSync(join(within, 'tollgate-faults-'));
  const file = join(folder, 'tollgate.db');
  return {
    file,
    folder,
    url: `sqlite:${file}`,
    rows: (query) => {
      const connection = new Database(file, { readonly: true }).defaultSafeIntegers(true);
      try {
        return Promise.resolve(connection.prepare<[], Row>(query).all());
      } finally {
        connection.close();
      }
    },
    open: () => openWithoutThread({ file, clock: new SystemClock(), processId: AUDITOR }),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}
