import {
  type Account, type AccountId, type AccountRepository, type ApiKeySecret, type KeyRepository, type Ledger, type PlanId, ServiceTokens, SYSTEM_ACTOR,
} from '@tollgate/core';
import { RandomIds, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { BENCH_PLAN } from '../subjects/bench-catalogue.js';

/** What a store must offer for accounts to be made in it; every kind of store does. */
export interface SeededStore {
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  readonly ledger: Ledger;
}

const BALANCE = ServiceTokens.parse('1000000000');
const MOST_KEYS = 1_000_000;

const ids = new RandomIds();
const hasher = new Sha256Hasher();
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
