import { createMemoryStore, SequentialIds } from '@tollgate/adapters-memory';
import { Argon2Hasher, factorCodes, HmacAddressHashes, HmacChallenges, HmacDeviceSigner, InstallationSecret, RandomSecretTokens } from '@tollgate/adapters-node';
import { type PeopleSubject, RELYING_PARTY } from '@tollgate/testkit';
import { AuthenticatorCodes } from '../authenticator-codes.js';
import { WebAuthnCeremonies } from '../web-authn-ceremonies.js';

/** Fast. */
const WEAK = { memory: 8, passes: 1, parallelism: 1 };

export function peopleInMemory(): PeopleSubject {
  const store = createMemoryStore();
  const secret = new InstallationSecret(new Uint8Array(32), null);
  const codes = factorCodes(secret, new AuthenticatorCodes());
  const hashes = new HmacAddressHashes(secret.keysFor('signup-credit'));
  return {
    store, other: store, hasher: new Argon2Hasher(WEAK), tokens: new RandomSecretTokens(), ids: new SequentialIds(), signer: new HmacDeviceSigner(new InstallationSecret(new Uint8Array(32).fill(1), null).keysFor('device')), ceremonies: new WebAuthnCeremonies(RELYING_PARTY),
    challenges: new HmacChallenges(secret.keysFor('challenge')), codes, rotated: { during: codes, after: codes },
    addressHashes: { before: hashes, during: hashes, after: hashes },
  };
}
