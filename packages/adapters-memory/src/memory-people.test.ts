import { Argon2Hasher, factorCodes, HmacAddressHashes, HmacChallenges, HmacDeviceSigner, InstallationSecret, RandomSecretTokens } from '@tollgate/adapters-node';
import { AuthenticatorCodes, WebAuthnCeremonies } from '@tollgate/adapters-sign-in';
import {
  issuerSignInContract, operatorsContract, passkeysContract, type PeopleSubject, personDirectoryContract, RELYING_PARTY,
  secondFactorsContract, sessionsContract, signupCreditContract, unverifiedPeopleContract,
} from '@tollgate/testkit';
import { SequentialIds } from './deterministic.js';
import { createMemoryStore } from './memory-store.js';

/** Quick, since it guards nothing here. */
const WEAK = { memory: 8, passes: 1, parallelism: 1 };

const [OLD, NEW] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const codesUnder = (current: Uint8Array, previous: Uint8Array | null) => factorCodes(new InstallationSecret(current, previous), new AuthenticatorCodes());
const hashesUnder = (current: Uint8Array, previous: Uint8Array | null) => new HmacAddressHashes(new InstallationSecret(current, previous).keysFor('signup-credit'));

function peopleInMemory(): PeopleSubject {
  const store = createMemoryStore();
  return {
    store, other: store, hasher: new Argon2Hasher(WEAK), tokens: new RandomSecretTokens(), ids: new SequentialIds(), signer: new HmacDeviceSigner(new InstallationSecret(new Uint8Array(32).fill(1), null).keysFor('device')), ceremonies: new WebAuthnCeremonies(RELYING_PARTY),
    challenges: new HmacChallenges(new InstallationSecret(new Uint8Array(32).fill(1), null).keysFor('challenge')),
    codes: codesUnder(OLD, null),
    addressHashes: { before: hashesUnder(OLD, null), during: hashesUnder(NEW, OLD), after: hashesUnder(NEW, null) },
    rotated: { during: codesUnder(NEW, OLD), after: codesUnder(NEW, null) },
  };
}

personDirectoryContract('memory', peopleInMemory);
sessionsContract('memory', peopleInMemory);
signupCreditContract('memory', peopleInMemory);
operatorsContract('memory', peopleInMemory);
passkeysContract('memory', peopleInMemory);
issuerSignInContract('memory', peopleInMemory);
secondFactorsContract('memory', peopleInMemory);
unverifiedPeopleContract('memory', peopleInMemory);
