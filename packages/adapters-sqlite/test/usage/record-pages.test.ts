import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { later, MILLISECONDS_PER_DAY, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { afterMonth, anEnding, makeStatements, STORE_ALICE, STORE_BOB, statedAt, StoreDriver } from '@tollgate/testkit';
import type { SqlStore } from '@tollgate/sql-common';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from '../../src/test-support/stores.js';

const COPIES = 2_500;

let place: StoreFile;
let store: SqlStore;
let driver: StoreDriver;

beforeEach(async () => {
  place = storeFile();
  store = await place.open();
  driver = await StoreDriver.start(() => store);
  for (const accountId of [STORE_ALICE, STORE_BOB]) {
    await store.ledger.book({ kind: 'top-up', accountId, amount: ServiceTokens.parse('3000'), reference: 'a', reason: null, actor: SYSTEM_ACTOR, at: statedAt(3, 1), expiresAt: null });
  }
  await driver.serve(1, anEnding(1, { endedAt: statedAt(3, 2) }));
  copyCharge();
  await driver.serve(2, anEnding(7, { endedAt: later(statedAt(3, 2), MILLISECONDS_PER_DAY) }), { accountId: STORE_BOB });
});

afterEach(async () => {
  await driver.close();
  place.remove();
});

/** Copies the only request: its usage record, its charge, and the effect on the balance. */
function copyCharge(): void {
  const direct = new Database(place.file);
  direct.pragma('foreign_keys = OFF');
  const changed: Readonly<Record<string, string>> = { request_id: `request_id || n`, reservation_id: `reservation_id || n`, reference: `reference || n`, ended_at: 'ended_at + n / 700' };
  for (const table of ['usage_records', 'ledger_entries']) {
    const columns = (direct.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).map(({ name }) => name).filter((name) => name !== 'seq');
    direct.exec(`
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COPIES})
      INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((name) => changed[name] ?? name).join(', ')} FROM ${table}, numbers WHERE reservation_id IS NOT NULL`);
  }
  direct.exec(`UPDATE accounts SET balance = balance - ${COPIES} * 1000000 WHERE id = '${STORE_ALICE}'`);
  direct.close();
}

it('statements and credits include all charges of an account, however many pages they fill, and no others', async () => {
  expect((await store.credits.list(STORE_ALICE)).map(({ left }) => left.toString())).toEqual([String(3_000 - COPIES - 1)]);
  expect((await store.credits.list(STORE_BOB)).map(({ left }) => left.toString())).toEqual(['2993']);
  await makeStatements(store.statements, afterMonth(3));
  const { statements } = await store.statements.list({ accountId: null, month: null, before: null, limit: 10 });
  expect(statements.map(({ accountId, closing }) => `${accountId} ${closing}`).toSorted()).toEqual([`${STORE_ALICE} ${3_000 - COPIES - 1}`, `${STORE_BOB} 2993`]);
});
