import { Argon2Hasher, HmacChallenges, InstallationSecret, RandomSecretTokens } from '@tollgate/adapters-node';
import { WebAuthnCeremonies } from '@tollgate/adapters-sign-in';
import { issuerSignInContract, operatorsContract, passkeysContract, type PeopleSubject, personDirectoryContract, RELYING_PARTY, sessionsContract } from '@tollgate/testkit';
import { SequentialIds } from '../ids/sequential-ids.js';
import { createMemoryStore } from '../memory-store.js';

/** Quick, since it guards nothing here. */
const WEAK = { memory: 8, passes: 1, parallelism: 1 };

function peopleInMemory(): PeopleSubject {
  const store = createMemoryStore();
  return {
    store, other: store, hasher: new Argon2Hasher(WEAK), tokens: new RandomSecretTokens(), ids: new SequentialIds(), ceremonies: new WebAuthnCeremonies(RELYING_PARTY),
    challenges: new HmacChallenges(new InstallationSecret(new Uint8Array(32).fill(1), null).keysFor('challenge')),
  };
}

personDirectoryContract('memory', peopleInMemory);
sessionsContract('memory', peopleInMemory);
operatorsContract('memory', peopleInMemory);
passkeysContract('memory', peopleInMemory);
issuerSignInContract('memory', peopleInMemory);
