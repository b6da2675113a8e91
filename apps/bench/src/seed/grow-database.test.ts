import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sql';
import Database from 'better-sqlite3';
import { growDatabase, grownAccountId } from './grow-database.js';
import { seedAccounts, seedKeys } from './seed-accounts.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function openStore(file: string) {
  return openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() });
}

it('fills a database of the product\'s own schema with as many rows as asked for, whose books agree', async () => {
  const file = join(folder, 'a.db');
  const empty = await openStore(file);
  const keys = await seedAccounts(empty, 3);
  await empty.close();
  growDatabase(file, { accounts: 20, keys: 40, usageRows: 205 });
  const database = new Database(file, { readonly: true });
  const count = (table: string): unknown => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  const counts = ['accounts', 'api_keys', 'reservations', 'usage_records'].map(count);
  const orphans = database.pragma('foreign_key_check');
  database.close();
  expect(keys).toHaveLength(3);
  expect(counts).toEqual([23, 43, 205, 205]);
  expect(orphans).toEqual([]);
  const full = await openStore(file);
  expect(await full.ledgerAudit.verify()).toMatchObject({ usageRecords: 205, differences: [] });
  expect(await seedKeys(full, [grownAccountId(0), grownAccountId(19)])).toHaveLength(2);
  await full.close();
});

it('has every index of an empty database', async () => {
  const indexesOf = (file: string): unknown => {
    const database = new Database(file, { readonly: true });
    const sql = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all();
    database.close();
    return sql;
  };
  const file = join(folder, 'a.db');
  await (await openStore(file)).close();
  const before = indexesOf(file);
  growDatabase(file, { accounts: 2, keys: 4, usageRows: 20 });
  expect(indexesOf(file)).toEqual(before);
});
