import { existsSync } from 'node:fs';
import { RandomIds, SystemClock } from '@tollgate/adapters-node';
import { openSqliteStore } from '@tollgate/adapters-sql';
import { claimKeys } from './claim-keys.js';
import { growDatabase } from './grow-database.js';
import { type Growth, spreadKeys } from './growth.js';
import { creditAccounts, seedAccounts, type SeededStore } from './seed-accounts.js';

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
