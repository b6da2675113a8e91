import { SequentialIds } from '@tollgate/adapters-memory';
import { Argon2Hasher, factorCodes, HmacAddressHashes, HmacChallenges, InstallationSecret, RandomSecretTokens } from '@tollgate/adapters-node';
import { AuthenticatorCodes, WebAuthnCeremonies } from '@tollgate/adapters-sign-in';
import { type ApiKey, type ApiKeyId, type KeyHash, later, type ProcessId, SYSTEM_ACTOR } from '@tollgate/core';
import { anApiKey, type PeopleSubject, RELYING_PARTY, STORE_ALICE, STORE_NOON } from '@tollgate/testkit';
import type { SqlStore } from '../store/sql-store.js';

/** Quick, since it guards nothing here. */
const WEAK = { memory: 8, passes: 1, parallelism: 1 };

/** The process that a store under test belongs to; it owns no reservation of the contracts. */
export const STORE_PROCESS = 'process_store' as ProcessId;

/** The process of the second gateway. */
export const OTHER_PROCESS = 'process_other' as ProcessId;

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const codesUnder = (current: Uint8Array, previous: Uint8Array | null) => factorCodes(new InstallationSecret(current, previous), new AuthenticatorCodes());
const hashesUnder = (current: Uint8Array, previous: Uint8Array | null) => new HmacAddressHashes(new InstallationSecret(current, previous).keysFor('signup-credit'));

/** People over two gateways' stores on one database. */
export function peopleOver(store: SqlStore, other: SqlStore, remove: () => void = () => undefined): PeopleSubject {
  const close = async (): Promise<void> => {
    await other.close();
    await store.close();
    remove();
  };
  const challenges = new HmacChallenges(new InstallationSecret(new Uint8Array(32).fill(1), null).keysFor('challenge'));
  return {
    store, other, hasher: new Argon2Hasher(WEAK), tokens: new RandomSecretTokens(), ids: new SequentialIds(), ceremonies: new WebAuthnCeremonies(RELYING_PARTY),
    challenges, codes: codesUnder(OLD, null),
    addressHashes: { before: hashesUnder(OLD, null), during: hashesUnder(NEW, OLD), after: hashesUnder(NEW, null) },
    rotated: { during: codesUnder(NEW, OLD), after: codesUnder(NEW, null) }, close,
  };
}

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
