import type { AnsweredChallenge, Instant } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { changesOf, type Script } from '../script/script.js';

/** Of several that take one challenge, exactly one is told `true`. Forgets those that have expired. */
export function* takeChallenge(queries: Queries, { hash, expiresAt }: AnsweredChallenge, at: Instant): Script<boolean> {
  yield* changesOf(queries.deleteFrom('used_challenges').where('expires_at', '<=', BigInt(at)));
  const taken = queries.insertInto('used_challenges').values({ hash, expires_at: expiresAt }).onConflict((conflict) => conflict.doNothing());
  return (yield* changesOf(taken)) === 1;
}
