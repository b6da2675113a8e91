import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anEnding, anUnservedEnding, OWNER, STORE_ALICE, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import Database from 'better-sqlite3';
import { storeFile, type StoreFile } from './test-support/stores.js';

/** The schema's rules apply to every program that writes. */
describe('the SQLite schema', () => {
  let place: StoreFile;
  let driver: StoreDriver;
  let direct: Database.Database;

  beforeEach(async () => {
    place = storeFile();
    driver = await StoreDriver.start(() => place.open());
    await driver.credit('100');
    await driver.serve(1, anEnding(10));
    await driver.reserve(2, '20');
    direct = new Database(place.file);
    direct.pragma('foreign_keys = ON');
  });

  afterEach(async () => {
    direct.close();
    await driver.close();
    place.remove();
  });

  it.each(['ledger_entries', 'usage_records', 'audit_entries', 'late_settlements'])('prevents changes and deletions of rows of %s', async (table) => {
    await driver.store.ledger.retire(OWNER);
    await driver.store.ledger.sweep(STORE_NOON);
    await driver.settle(2, anEnding(5));
    expect(direct.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBeGreaterThan(0);
    const [column] = direct.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
    expect(() => direct.exec(`UPDATE ${table} SET ${String(column)} = ${String(column)}`)).toThrow(`${table} is append-only`);
    expect(() => direct.exec(`DELETE FROM ${table}`)).toThrow(`${table} is append-only`);
  });

  it.each([
    ['a balance below zero', 'UPDATE accounts SET balance = -1'],
    ['a reserved amount below zero', 'UPDATE accounts SET reserved = -1'],
    ['a reserved amount above the balance', 'UPDATE accounts SET reserved = balance + 1'],
    ['a balance beyond what sums can hold', 'UPDATE accounts SET balance = 9000000000000000000'],
    ['an unknown reservation state', "UPDATE reservations SET state = 'lost'"],
    ['an unknown kind of transfer', "INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, at, day) VALUES ('gift', 'a', 'b', 1, 0, '')"],
    ['a transfer of nothing', "INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, at, day) VALUES ('top-up', 'a', 'b', 0, 0, '')"],
    ['a transfer to oneself', "INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, at, day) VALUES ('top-up', 'a', 'a', 1, 0, '')"],
  ])('refuses %s', (_, statement) => {
    expect(() => direct.exec(statement)).toThrow('CHECK constraint failed');
  });

  it('refuses a second charge of one reservation', () => {
    const charge = `INSERT INTO ledger_entries (kind, debit_account, credit_account, amount, reservation_id, at, day)
      VALUES ('charge', '${STORE_ALICE}', 'system:revenue', 1, 'rsv_1', 0, '')`;
    expect(() => direct.exec(charge)).toThrow('UNIQUE constraint failed');
  });

  it('refuses a key of an unknown account', () => {
    expect(() => direct.exec("INSERT INTO api_keys (id, account_id, hash, hint, created_at, updated_at, blocked) VALUES ('k', 'nobody', 'h', 'h', 0, 0, 0)"))
      .toThrow('FOREIGN KEY constraint failed');
  });

  it('stores no ledger entry for a free request', async () => {
    await driver.settle(2, anUnservedEnding());
    expect(direct.prepare("SELECT count(*) FROM ledger_entries WHERE reservation_id = 'rsv_2'").pluck().get()).toBe(0);
  });
});
