import { existsSync } from 'node:fs';
import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import Database from 'better-sqlite3';
import { type AccountId, type Ledger, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { openSqliteStore } from '@tollgate/adapters-sqlite';
import { growDatabase, type GrownKey, type Growth, spreadKeys } from './grow-database.js';

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

/** More than any load of the bench can use. In service tokens. */
export const BENCH_CREDIT = '1000000000';

/** Credits existing accounts with more than any load of the bench can use. */
export async function creditAccounts({ ledger }: { readonly ledger: Ledger }, accountIds: readonly AccountId[]): Promise<void> {
  const amount = ServiceTokens.parse(BENCH_CREDIT);
  for (const accountId of accountIds) await ledger.credit({ accountId, amount, reference: 'bench', actor: SYSTEM_ACTOR, at: new SystemClock().now() });
}

async function withStore(file: string, work: (store: { readonly ledger: Ledger }) => Promise<void>): Promise<void> {
  const store = await openSqliteStore({ file, clock: new SystemClock(), processId: ids.processId() });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** A database that holds the use of years. */
export interface GrownDatabase {
  /** The file is kept: if it exists, it must hold this growth. */
  readonly file: string;
  readonly growth: Growth;
}

/** Fills a database unless its file exists, and returns keys in clear, each of another account, spread over the whole database. */
export async function prepareDatabase({ file, growth }: GrownDatabase, accounts: number): Promise<readonly string[]> {
  const exists = existsSync(file);
  await withStore(file, async () => {});
  if (!exists) growDatabase(file, growth);
  const keys = spreadKeys(growth, accounts);
  await withStore(file, (store) => creditAccounts(store, keys.map(({ accountId }) => accountId)));
  return claimKeys(file, keys);
}
