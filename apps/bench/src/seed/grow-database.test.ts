import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sql';
import Database from 'better-sqlite3';
import { growDatabase } from './grow-database.js';
import { seedAccounts } from './seed-accounts.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('fills a database of the product\'s own schema with as many rows as asked for', async () => {
  const file = join(folder, 'a.db');
  const store = await openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() });
  const keys = await seedAccounts(store, 3);
  await store.close();
  growDatabase(file, { accounts: 20, keys: 40, usageRows: 200 });
  const database = new Database(file, { readonly: true });
  const count = (table: string): unknown => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  const counts = ['accounts', 'api_keys', 'reservations', 'usage_records'].map(count);
  const orphans = database.pragma('foreign_key_check');
  database.close();
  expect(keys).toHaveLength(3);
  expect(counts).toEqual([23, 43, 200, 200]);
  expect(orphans).toEqual([]);
});
