import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { type Account, type AccountId, type PlanId, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import type { DatabaseLocation, SqlStore } from '@tollgate/sql-common';
import { CHAOS_PLAN } from '../catalogue/chaos-catalogue.js';
import { openBeside } from './open-beside.js';

export interface SeededAccount {
  readonly id: AccountId;
  /** The secret of the account's key. */
  readonly key: string;
}

const ids = new RandomIds();
const clock = new SystemClock();
const MAX_KEYS = 10;

async function seedAccount(store: SqlStore, balance: string): Promise<SeededAccount> {
  const id = ids.accountId();
  const account: Account = {
    id, email: `${id}@example.com`, name: 'Chaos', planId: CHAOS_PLAN as PlanId, priceList: null, status: 'active', emailVerified: true, blocked: false, deletion: null, createdAt: clock.now(), externalId: null, metadata: {},
  };
  await store.accounts.create(account, SYSTEM_ACTOR);
  await store.ledger.credit({ accountId: id, amount: ServiceTokens.parse(balance), reference: 'seed', actor: SYSTEM_ACTOR, at: clock.now() });
  const secret = ids.apiKeySecret();
  const keyId = ids.apiKeyId();
  const key = {
    id: keyId, lineage: keyId, limit: null, accountId: id, name: 'chaos', hash: new Sha256Hasher().hash(secret), hint: 'sk-chaos', createdAt: clock.now(),
    expiresAt: null, revokedAt: null, lastUsedAt: null, blocked: false, models: null,
  };
  await store.keys.create({ key, maximumActive: MAX_KEYS, maximumPerHour: MAX_KEYS, actor: SYSTEM_ACTOR });
  return { id, key: secret.reveal() };
}

/** Creates a database with one account for each balance. */
export async function seedAccounts(database: DatabaseLocation, balances: readonly string[]): Promise<readonly SeededAccount[]> {
  const store = await openBeside(database);
  const accounts: SeededAccount[] = [];
  for (const balance of balances) accounts.push(await seedAccount(store, balance));
  await store.close();
  return accounts;
}
