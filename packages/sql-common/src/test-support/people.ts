import { SequentialIds } from '@tollgate/adapters-memory';
import { Argon2Hasher, factorCodes, HmacAddressHashes, HmacChallenges, InstallationSecret, RandomSecretTokens } from '@tollgate/adapters-node';
import { AuthenticatorCodes, WebAuthnCeremonies } from '@tollgate/adapters-sign-in';
import type { ProcessId } from '@tollgate/core';
import { type PeopleSubject, RELYING_PARTY } from '@tollgate/testkit';
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
