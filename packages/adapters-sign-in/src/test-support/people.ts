import { storeInMemory } from '@tollgate/adapters-sqlite/testing';
import { peopleOver } from '@tollgate/sql-common/testing';
import type { PeopleSubject } from '@tollgate/testkit';

export async function peopleInMemory(): Promise<PeopleSubject> {
  return peopleOver(await storeInMemory());
}
