import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PostgresServer, startPostgresServer } from '@tollgate/testkit';
import { Client } from 'pg';
import { viewPostgres } from '../books/database-view.js';
import { SQLITE_SETUP } from '../setups/sqlite-setup.js';
import { createFilledWorld } from '../test-support/filled-world.js';
import { Inspector } from './inspector.js';

describe('the inspector of a world on PostgreSQL', () => {
  let server: PostgresServer;
  let databases = 0;
  let folder: string;
  let url: string;
  let inspector: Inspector;
  let violations: string[];

  async function run(place: string, statements: string): Promise<void> {
    const client = new Client({ connectionString: place });
    await client.connect();
    await client.query(statements);
    await client.end();
  }

  beforeAll(async () => {
    server = await startPostgresServer();
    folder = mkdtempSync(join(tmpdir(), 'tollgate-inspector-'));
  });

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  beforeEach(async () => {
    databases += 1;
    await run(server.url(), `create database inspected_${databases}`);
    url = server.url(`inspected_${databases}`);
    violations = [];
    const ground = { database: { kind: 'postgres', url }, environment: {}, openView: () => viewPostgres(url) } as const;
    const world = await createFilledWorld({ setup: { ...SQLITE_SETUP, createGround: () => Promise.resolve(ground) }, folder, onViolation: (text) => violations.push(text) });
    inspector = await Inspector.open(world);
  });

  afterEach(async () => {
    await inspector.close();
  });

  it('finds nothing in sound books, while a request runs and in quiet', async () => {
    await inspector.look();
    await inspector.lookInQuiet();
    expect(violations).toEqual([]);
  });

  it('finds what breaks them, entries that have changed among it', async () => {
    await inspector.look();
    await run(url, `set session_replication_role = replica; update accounts set balance = balance + 1, reserved = reserved + 2;
      update usage_daily set charge = charge + 1; update ledger_entries set at = at + 1 where kind = 'charge'; delete from ledger_entries where reference = 'told'`);
    await inspector.lookInQuiet();
    expect(new Set(violations.map((text) => text.split(':')[0]))).toEqual(new Set(['I2', 'I3', 'I4', 'I7', 'I12', 'P4']));
  });

  it('looks on after the server was away', async () => {
    await inspector.look();
    await server.crash();
    await expect(inspector.look()).rejects.toThrow(/connect/i);
    await server.restart();
    await inspector.look();
    expect(violations).toEqual([]);
  });
});
