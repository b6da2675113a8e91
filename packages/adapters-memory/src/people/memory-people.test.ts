import { Argon2Hasher, RandomSecretTokens } from '@tollgate/adapters-node';
import { operatorsContract, type PeopleSubject, personDirectoryContract, sessionsContract } from '@tollgate/testkit';
import { SequentialIds } from '../ids/sequential-ids.js';
import { createMemoryStore } from '../memory-store.js';

/** Quick, since it guards nothing here. */
const WEAK = { memory: 8, passes: 1, parallelism: 1 };

function peopleInMemory(): PeopleSubject {
  const store = createMemoryStore();
  return { store, other: store, hasher: new Argon2Hasher(WEAK), tokens: new RandomSecretTokens(), ids: new SequentialIds() };
}

personDirectoryContract('memory', peopleInMemory);
sessionsContract('memory', peopleInMemory);
operatorsContract('memory', peopleInMemory);
