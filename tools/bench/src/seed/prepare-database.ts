import { existsSync } from 'node:fs';
import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import Database from 'better-sqlite3';
import {
  type Account, type AccountId, type AccountRepository, type ApiKeySecret, type KeyRepository, type Ledger, type PlanId, ServiceTokens,
  SYSTEM_ACTOR,
} from '@tollgate/core';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { growDatabase, type GrownKey, type Growth, spreadKeys } from './grow-database.js';
import { BENCH_PLAN } from '../subjects/tollgate.js';

const ids = new RandomIds();
const hasher = new Sha256Hasher();

/** Gives keys of a database that no process has open new secrets, where they lie; returns the secrets in clear. Throws when one is not there. */
export function claimKeys(file: string, keys: readonly GrownKey[]): readonly string[] {
  const database = new Database(file);
  try {
    const claim = database.prepare('UPDATE api_keys SET hash = ? WHERE id = ? AND account_id = ?');
    return database.transaction(() => keys.map(({ keyId, accountId }) => {
      const secret = ids.apiKeySecret();
      if (claim.run(hasher.hash(secret), keyId, accountId).changes !== 1) throw new Error(`There is no ${keyId} of ${accountId} in ${file}. Was it filled with another --growth?`);
      return secret.reveal();
    }))();
  } finally {
    database.close();
  }
}

/** What a store must offer for accounts to be made in it; every kind of store does. */
interface SeededStore {
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly ledger: Ledger;
}

const BALANCE = ServiceTokens.parse('1000000000');
const MOST_KEYS = 1_000_000;
const clock = new SystemClock();

async function createAccount(store: SeededStore): Promise<Account> {
  const id = ids.accountId();
  const account: Account = {
    id, email: `${id}@example.com`, name: 'Bench', planId: BENCH_PLAN as PlanId, status: 'active', emailVerified: true, blocked: false, deletion: null, createdAt: clock.now(),
  };
  await store.accounts.create(account, SYSTEM_ACTOR);
  return account;
}

async function createKey(store: SeededStore, accountId: AccountId): Promise<ApiKeySecret> {
  const secret = ids.apiKeySecret();
  const keyId = ids.apiKeyId();
  const key = {
    id: keyId, lineage: keyId, limit: null, accountId, name: 'bench', hash: hasher.hash(secret), hint: 'sk-bench', createdAt: clock.now(),
    expiresAt: null, revokedAt: null, lastUsedAt: null, blocked: false, models: null,
  };
  await store.keys.create({ key, maximumActive: MOST_KEYS, maximumPerHour: MOST_KEYS, actor: SYSTEM_ACTOR });
  return secret;
}

/** Makes accounts that no load of the bench can exhaust, with one key each; returns the keys in clear. */
export async function seedAccounts(store: SeededStore, count: number): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let position = 0; position < count; position += 1) {
    const { id } = await createAccount(store);
    await creditAccounts(store, [id]);
    keys.push((await createKey(store, id)).reveal());
  }
  return keys;
}

/** Gives accounts that are there more than any load of the bench can use. */
export async function creditAccounts(store: Pick<SeededStore, 'ledger'>, accountIds: readonly AccountId[]): Promise<void> {
  for (const accountId of accountIds) await store.ledger.credit({ accountId, amount: BALANCE, reference: 'bench', actor: SYSTEM_ACTOR, at: clock.now() });
}

/** What a database is to hold, and who is to be let in. */
export interface DatabaseContents {
  /** Keys that requests take in turn, each of an account of its own. */
  readonly accounts: number;
  /** Everything there is; then the keys are some of these, all over them. `null` for nothing but the accounts of the keys. */
  readonly growth: Growth | null;
}

async function withStore<Result>(file: string, work: (store: SeededStore) => Promise<Result>): Promise<Result> {
  const store = await openSqliteStore({ file, clock: new SystemClock(), processId: new RandomIds().processId() });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Makes a database, or takes a grown one that is there, and returns keys of accounts in it, in clear. */
export async function prepareDatabase(file: string, { accounts, growth }: DatabaseContents): Promise<readonly string[]> {
  if (growth === null) return withStore(file, (store) => seedAccounts(store, accounts));
  const isThere = existsSync(file);
  await withStore(file, async () => {});
  if (!isThere) growDatabase(file, growth);
  const keys = spreadKeys(growth, accounts);
  await withStore(file, (store) => creditAccounts(store, keys.map(({ accountId }) => accountId)));
  return claimKeys(file, keys);
}
