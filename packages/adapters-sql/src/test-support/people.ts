import { SequentialIds } from '@tollgate/adapters-memory';
import { Argon2Hasher, RandomSecretTokens } from '@tollgate/adapters-node';
import type { ProcessId } from '@tollgate/core';
import type { PeopleSubject } from '@tollgate/testkit';
import type { SqlStore } from '../store/sql-store.js';

/** Quick, since it guards nothing here. */
const WEAK = { memory: 8, passes: 1, parallelism: 1 };

/** The process of the second gateway. */
export const OTHER_PROCESS = 'process_other' as ProcessId;

/** People over two gateways' stores on one database. */
export function peopleOver(store: SqlStore, other: SqlStore, remove: () => void = () => undefined): PeopleSubject {
  const close = async (): Promise<void> => {
    await other.close();
    await store.close();
    remove();
  };
  return { store, other, hasher: new Argon2Hasher(WEAK), tokens: new RandomSecretTokens(), ids: new SequentialIds(), close };
}
