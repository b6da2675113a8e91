import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type AccountId, NO_ACCOUNT_FILTER, type OperatorLookups } from '@tollgate/core';
import { SqlOperatorLookups, sqliteQueries } from '@tollgate/sql-common';
import { RecordingRunner } from '@tollgate/sql-common/testing';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const ALICE = 'acct_alice' as AccountId;

let place: StoreFile;

beforeEach(async () => {
  place = storeFile();
  await (await place.open()).close();
});
afterEach(() => place.remove());

async function planOf(lookUp: (lookups: OperatorLookups) => Promise<unknown>): Promise<string> {
  const runner = new RecordingRunner();
  await lookUp(new SqlOperatorLookups(sqliteQueries(), runner));
  expect(runner.queries).toHaveLength(1);
  const direct = new Database(place.file, { readonly: true });
  try {
    return runner.queries.flatMap(({ sql, parameters }) => direct.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters))
      .map(({ detail }) => detail).join('; ');
  } finally {
    direct.close();
  }
}

it.each<[string, (lookups: OperatorLookups) => Promise<unknown>, string]>([
  ['accounts in the order of their creation', (lookups) => lookups.searchAccounts({ ...NO_ACCOUNT_FILTER, order: 'created', descending: false, limit: 10, after: { value: '1', id: ALICE } }), 'accounts_by_age ((created_at,id)>(?,?))'],
  ['acts of money', (lookups) => lookups.moneyActs(ALICE, { limit: 10, before: null }), 'ledger_entries_of_money_acts'],
  ['older acts of money', (lookups) => lookups.moneyActs(ALICE, { limit: 10, before: 7 }), 'ledger_entries_of_money_acts'],
])('%s are found by an index', async (_what, lookUp, index) => {
  const plan = await planOf(lookUp);
  expect(plan).toContain(index);
  expect(plan).not.toMatch(/SCAN ledger_entries/);
});

it('acts of money are read in the order of an index, without sorting', async () => {
  expect(await planOf((lookups) => lookups.moneyActs(ALICE, { limit: 10, before: 7 }))).not.toContain('TEMP B-TREE');
});
