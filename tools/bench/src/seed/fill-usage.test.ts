import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { ALL_ACCOUNTS, NO_USAGE_FILTERS } from '@tollgate/core';
import Database from 'better-sqlite3';
import { filledRecords, fillUsage, FIRST_END, LAST_END, USAGE_ACCOUNTS, usageAccountId } from './fill-usage.js';

const RECORDS = 4 * USAGE_ACCOUNTS;
/** Time limit for four commits per day of a year, each with an fsync, because totals are committed by day. */
const SYNCS_MILLISECONDS = 90_000;

let folder: string;
let file: string;
const openStore = () => openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() });

function indexesOf(): unknown {
  const database = new Database(file, { readonly: true });
  const indexes: unknown = database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all();
  database.close();
  return indexes;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bench-usage-'));
  file = join(folder, 'usage.db');
  await (await openStore()).close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('the filled database has records spread over accounts and time, with correct sums and all indexes', async () => {
  const before = indexesOf();
  fillUsage(file, RECORDS);
  expect(indexesOf()).toEqual(before);
  expect(filledRecords(file)).toBe(RECORDS);
  const store = await openStore();
  const { usage } = store;
  const all = await usage.list({ ...NO_USAGE_FILTERS, accountId: ALL_ACCOUNTS, limit: RECORDS + 1, cursor: null });
  const records = all?.records ?? [];
  expect(records).toHaveLength(RECORDS);
  expect([records.at(-1)?.endedAt, (records[0]?.endedAt ?? 0) < LAST_END]).toEqual([FIRST_END, true]);
  const own = records.filter(({ accountId }) => accountId === usageAccountId(7));
  const buckets = await usage.summary({ accountId: usageAccountId(7), from: FIRST_END, to: LAST_END, groupBy: 'model', limit: 10 });
  expect(buckets.reduce((sum, { requests }) => sum + requests, 0)).toBe(own.length);
  expect(buckets.map(({ charged }) => charged.toUnits()).reduce((sum, units) => sum + units, 0n)).toBe(own.reduce((sum, { charge }) => sum + charge.amount.toUnits(), 0n));
  await store.usageTotals.sumUp(LAST_END);
  const totals = await store.usageTotals.breakdown({ from: FIRST_END, to: LAST_END, grouping: { unit: 'month', group: 'account' }, top: 1, model: null });
  expect(totals?.total.requests).toBe(RECORDS);
  await store.close();
}, SYNCS_MILLISECONDS);
