import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { AccountId, ApiKeyId } from '@tollgate/core';
import { OperatorLookupScripts, type Script, sqliteQueries } from '@tollgate/sql-common';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const scripts = new OperatorLookupScripts(sqliteQueries());
const ALICE = 'acct_alice' as AccountId;

let place: StoreFile;

beforeEach(async () => {
  place = storeFile();
  await (await place.open()).close();
});
afterEach(() => place.remove());

/** Of the script's first query. */
function planOf(script: Script<unknown>): string {
  const { value } = script.next({ rows: [], changes: 0 });
  const { sql, parameters } = value as { readonly sql: string; readonly parameters: readonly unknown[] };
  const direct = new Database(place.file, { readonly: true });
  try {
    return (direct.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as readonly { readonly detail: string }[]).map(({ detail }) => detail).join('; ');
  } finally {
    direct.close();
  }
}

it.each([
  ['keys by their ending', () => scripts.accountsByKey({ kind: 'ending', ending: 'wXyZ' }), 'api_keys_by_ending'],
  ['keys by their id', () => scripts.accountsByKey({ kind: 'id', id: 'key_1' as ApiKeyId }), 'sqlite_autoindex_api_keys_1'],
  ['acts of money', () => scripts.moneyActs(ALICE, { limit: 10, before: null }), 'ledger_entries_of_money_acts'],
  ['older acts of money', () => scripts.moneyActs(ALICE, { limit: 10, before: 7 }), 'ledger_entries_of_money_acts'],
])('%s are found by an index', (_what, script, index) => {
  const plan = planOf(script());
  expect(plan).toContain(index);
  expect(plan).not.toMatch(/SCAN (?:accounts|api_keys|ledger_entries)/);
});

it('acts of money are read in the order of their index', () => {
  expect(planOf(scripts.moneyActs(ALICE, { limit: 10, before: 7 }))).not.toContain('TEMP B-TREE');
});
