import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { ApiKeySecret } from '@tollgate/core';
import Database from 'better-sqlite3';
import { claimKeys, creditAccounts, growDatabase, grownAccountId, grownKeyId, type Growth, spreadKeys } from './grow-database.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
  file = join(folder, 'a.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function openStore() {
  return openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() });
}

async function makeEmpty(): Promise<void> {
  await (await openStore()).close();
}

function reading<Result>(read: (database: Database.Database) => Result): Result {
  const database = new Database(file, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

function hashOf(secret: string): string {
  const parsed = ApiKeySecret.parse(secret);
  if (parsed === null) throw new Error('a claimed secret is one');
  return new Sha256Hasher().hash(parsed);
}

it('a grown database has the requested rows in the product’s schema, and balanced books', async () => {
  await makeEmpty();
  growDatabase(file, { accounts: 20, keys: 40, usageRows: 205 });
  const counts = reading((database) => ['accounts', 'api_keys', 'reservations', 'usage_records'].map((table): unknown => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()));
  expect(counts).toEqual([20, 40, 205, 205]);
  expect(reading((database) => database.pragma('foreign_key_check'))).toEqual([]);
  const full = await openStore();
  await creditAccounts(full, [grownAccountId(0), grownAccountId(19)]);
  expect(await full.ledgerAudit.verify()).toMatchObject({ usageRecords: 205, differences: [] });
  await full.close();
});

describe.each<[string, Growth]>([
  ['few keys of many accounts', { accounts: 30, keys: 3, usageRows: 0 }],
  ['many keys of few accounts', { accounts: 3, keys: 30, usageRows: 9 }],
  ['one key of each account', { accounts: 10, keys: 10, usageRows: 40 }],
  ['thousands of requests of each account', { accounts: 3, keys: 3, usageRows: 9000 }],
  ['two keys of each account', { accounts: 10, keys: 20, usageRows: 40 }],
])('a database with %s', (_case, growth) => {
  beforeEach(async () => {
    await makeEmpty();
    growDatabase(file, growth);
  });

  it('authenticates each secret given to a key as the key’s account, and gives no other key a secret', async () => {
    const hashes = (): unknown => reading((database) => database.prepare('SELECT hash FROM api_keys').pluck().all());
    const before = new Set(hashes() as string[]);
    const spread = spreadKeys(growth, 3);
    const secrets = claimKeys(file, spread);
    const owners = secrets.map((secret) => reading((database) => (
      database.prepare('SELECT account_id FROM api_keys WHERE hash = ?').pluck().get(hashOf(secret)))));
    expect(owners).toEqual(spread.map(({ accountId }) => accountId));
    expect(new Set(owners).size).toBe(3);
    expect((hashes() as string[]).filter((hash) => !before.has(hash))).toHaveLength(3);
  });

  it('has usage of each account only by the account’s own keys', () => {
    const strangers = reading((database) => database.prepare(
      'SELECT count(*) FROM usage_records u LEFT JOIN api_keys k ON k.id = u.key_id WHERE k.account_id IS NOT u.account_id').pluck().get());
    expect(strangers).toBe(0);
    expect(reading((database) => database.pragma('foreign_key_check'))).toEqual([]);
  });
});

it('a key that does not exist cannot get a secret', async () => {
  await makeEmpty();
  growDatabase(file, { accounts: 2, keys: 2, usageRows: 0 });
  expect(() => claimKeys(file, spreadKeys({ accounts: 4, keys: 4, usageRows: 0 }, 4))).toThrow('There is no key_000000000000000000000002');
});

it('a grown database has every index of an empty one', async () => {
  const indexes = (): unknown => reading((database) => database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all());
  await makeEmpty();
  const before = indexes();
  growDatabase(file, { accounts: 2, keys: 4, usageRows: 20 });
  expect(indexes()).toEqual(before);
});

function positionsOf(growth: Growth, count: number): readonly (readonly number[])[] {
  return spreadKeys(growth, count).map(({ keyId, accountId }) => [Number(keyId.slice('key_'.length)), Number(accountId.slice('acct_'.length))]);
}

describe('the keys that get secrets', () => {
  it.each<[string, Growth, number, readonly (readonly number[])[]]>([
    ['all keys, if no more exist than are needed', { accounts: 3, keys: 3, usageRows: 0 }, 3, [[0, 0], [1, 1], [2, 2]]],
    ['spread over the accounts, if each has one key', { accounts: 9, keys: 9, usageRows: 0 }, 3, [[0, 0], [3, 3], [6, 6]]],
    ['all keys, if most accounts have none', { accounts: 90, keys: 3, usageRows: 0 }, 3, [[0, 0], [1, 30], [2, 60]]],
    ['spread over the keys of each account, if few accounts have many', { accounts: 3, keys: 9, usageRows: 0 }, 3, [[0, 0], [4, 1], [8, 2]]],
    ['spread over accounts and keys, if many accounts have two', { accounts: 8, keys: 16, usageRows: 0 }, 4, [[0, 0], [2, 2], [12, 4], [14, 6]]],
    ['no more than accounts', { accounts: 2, keys: 4, usageRows: 0 }, 500, [[0, 0], [3, 1]]],
  ])('are %s', (_case, growth, count, expected) => {
    expect(positionsOf(growth, count)).toEqual(expected);
  });

  it('have ids with numbers of 24 digits, as in the grown database', () => {
    expect([grownKeyId(7), grownAccountId(12)]).toEqual(['key_000000000000000000000007', 'acct_000000000000000000000012']);
  });
});
