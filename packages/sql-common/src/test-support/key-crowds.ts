import { type ApiKey, type ApiKeyId, type KeyHash, later, SYSTEM_ACTOR } from '@tollgate/core';
import { anApiKey, STORE_ALICE, STORE_NOON } from '@tollgate/testkit';
import type { SqlStore } from '../store/sql-store.js';

const CROWD = 100;
const QUOTA = 5;

function numberedKey(number: number): ApiKey {
  return anApiKey({ id: `key_${number}` as ApiKeyId, hash: String(number).padStart(64, '0') as KeyHash, createdAt: later(STORE_NOON, number) });
}

function oneOf(stores: readonly SqlStore[], number: number): SqlStore {
  const store = stores[number % stores.length];
  if (store === undefined) throw new Error('there is at least one store');
  return store;
}

/** How often each outcome came, of 100 creations at once that the stores share, where the quota has room for one. */
export async function createAtOnce(stores: readonly SqlStore[]): Promise<Readonly<Record<string, number>>> {
  const create = (number: number) => oneOf(stores, number).keys.create({ key: numberedKey(number), maximumActive: QUOTA, maximumPerHour: CROWD, actor: SYSTEM_ACTOR });
  for (let number = 1; number < QUOTA; number += 1) await create(number);
  return countsOf(await Promise.all(Array.from({ length: CROWD }, (_, number) => create(QUOTA + number))));
}

/** The same of 100 rotations of one key at once. */
export async function rotateAtOnce(stores: readonly SqlStore[]): Promise<Readonly<Record<string, number>>> {
  await oneOf(stores, 0).keys.create({ key: numberedKey(0), maximumActive: QUOTA, maximumPerHour: CROWD, actor: SYSTEM_ACTOR });
  return countsOf(await Promise.all(Array.from({ length: CROWD }, (_, number) => oneOf(stores, number).keys.rotate({
    accountId: STORE_ALICE, revokedId: numberedKey(0).id, replacement: numberedKey(number + 1), actor: SYSTEM_ACTOR,
  }))));
}

function countsOf(outcomes: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...new Set(outcomes)].map((outcome) => [outcome, outcomes.filter((other) => other === outcome).length]));
}
