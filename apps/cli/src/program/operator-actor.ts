import type { SqlStore } from '@tollgate/adapters-sql';
import { type Actor, COMMAND_LINE_ACTOR_ID, foldEmail, type Person, type PersonId } from '@tollgate/core';
import { misuse } from './command-failure.js';

const NAME = /^[\w.:-]{1,64}$/;

/**
 * Under whom acts are audited: an operator by the id of their person, or a name for jobs and the like.
 * The operating system's user stands beside it, in a text that can be erased.
 */
export async function operatorActor({ people }: Pick<SqlStore, 'people'>, userName: string, as: string | null): Promise<Actor> {
  const origin = { place: 'command-line', user: userName, address: null } as const;
  if (as === null) return { kind: 'operator', id: COMMAND_LINE_ACTOR_ID, origin };
  if (namesPerson(as)) return { kind: 'operator', id: (await operatorNamed(people, as)).id, origin };
  if (!NAME.test(as)) throw misuse('option \'--as <operator>\' takes an operator\'s e-mail address, or at most 64 letters, digits and . _ : -');
  return { kind: 'operator', id: as, origin };
}

/** No name can be taken for a person. */
function namesPerson(as: string): boolean {
  return as.includes('@') || as.startsWith('person_');
}

async function operatorNamed(people: SqlStore['people'], emailOrId: string): Promise<Person> {
  const record = await (emailOrId.includes('@') ? people.findByEmail(foldEmail(emailOrId)) : people.find(emailOrId as PersonId));
  if (record?.person.role !== 'operator') throw misuse(`option '--as <operator>': there is no operator ${emailOrId}`);
  return record.person;
}
