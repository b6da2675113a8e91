import type { HolderLabel } from '@tollgate/core';
import { rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

export function* holderLabels(queries: Queries, ids: readonly HolderLabel['id'][]): Script<readonly HolderLabel[]> {
  const accounts = yield* rowsOf(queries.selectFrom('accounts').select(['id', 'name', 'email']).where('id', 'in', [...ids]).where('status', '<>', 'deleted'));
  const people = yield* rowsOf(queries.selectFrom('people').select(['id', 'name', 'email']).where('id', 'in', [...ids]));
  return [...accounts, ...people].map(({ id, name, email }) => ({ id: id as HolderLabel['id'], name, email }));
}
