import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anEnding, anUnservedEnding, OWNER, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { onDatabase, postgresFixture } from './test-support/postgres-stores.js';

const postgres = postgresFixture();

/** The schema's rules apply to every program that writes. */
describe('the PostgreSQL schema', () => {
  let url: string;
  let driver: StoreDriver;

  beforeEach(async () => {
    url = await postgres.lendStoreDatabase();
    driver = await StoreDriver.start(() => postgres.open(url));
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    await driver.reserve(2, '20');
  });

  afterEach(() => driver.close());

  it.each(['ledger_entries', 'usage_records', 'audit_entries', 'late_settlements'])('prevents changes and deletions of rows of %s', async (table) => {
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    await driver.settle(2, anEnding(5));
    expect(await onDatabase(url, `select count(*)::int > 0 as holds from ${table}`)).toEqual([{ holds: true }]);
    for (const statement of [`update ${table} set day = day`, `delete from ${table}`, `truncate ${table} cascade`]) {
      await expect(onDatabase(url, statement.replaceAll('day', table === 'audit_entries' ? 'action' : 'day'))).rejects.toThrow(`${table} is append-only`);
    }
  });

  it.each([
    ['a balance below zero', 'update accounts set balance = -1'],
    ['a reserved amount below zero', 'update accounts set reserved = -1'],
    ['a reserved amount above the balance', 'update accounts set reserved = balance + 1'],
    ['a balance beyond what sums can hold', 'update accounts set balance = 9000000000000000000'],
    ['an unknown reservation state', "update reservations set state = 'lost'"],
    ['a transfer of nothing', "insert into ledger_entries (kind, debit_account, credit_account, amount, at, day) values ('top-up', 'a', 'b', 0, 0, '')"],
    ['a transfer to oneself', "insert into ledger_entries (kind, debit_account, credit_account, amount, at, day) values ('top-up', 'a', 'a', 1, 0, '')"],
  ])('refuses %s', async (_, statement) => {
    await expect(onDatabase(url, statement)).rejects.toThrow('violates check constraint');
  });

  it('refuses a second charge of one reservation', async () => {
    await expect(onDatabase(url, `insert into ledger_entries (kind, debit_account, credit_account, amount, reservation_id, at, day)
      values ('charge', '${STORE_ALICE}', 'system:revenue', 1, 'rsv_1', 0, '')`)).rejects.toThrow('duplicate key value');
  });

  it('refuses a key of an unknown account', async () => {
    await expect(onDatabase(url, "insert into api_keys (id, account_id, hash, hint, created_at, updated_at, blocked) values ('k', 'nobody', 'h', 'h', 0, 0, 0)"))
      .rejects.toThrow('violates foreign key constraint');
  });

  it('stores no ledger entry for a free request', async () => {
    await driver.settle(2, anUnservedEnding());
    expect(await onDatabase(url, "select 1 from ledger_entries where reservation_id = 'rsv_2'")).toEqual([]);
  });

  it('stores no sums by user for requests that name no user', async () => {
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    await driver.settle(2, anEnding(5));
    expect(await onDatabase(url, 'select attribution from usage_daily_users')).toEqual([]);
  });
});
