import { type Instant, later, MILLISECONDS_PER_DAY } from '@tollgate/core';
import type { AnsweredChallenge } from '@tollgate/identity';
import { changesOf, type Queries, type Script } from '../script/script.js';

/** A gateway whose clock is behind still accepts a challenge that another one holds for expired, so a used one is remembered for longer. */
const KEPT_MILLISECONDS = MILLISECONDS_PER_DAY;

/** Of several that take one challenge, exactly one is told `true`. Forgets those that have expired long ago. */
export function* takeChallenge(queries: Queries, { hash, expiresAt }: AnsweredChallenge, at: Instant): Script<boolean> {
  yield* changesOf(queries.deleteFrom('used_challenges').where('expires_at', '<=', BigInt(later(at, -KEPT_MILLISECONDS))));
  const taken = queries.insertInto('used_challenges').values({ hash, expires_at: expiresAt }).onConflict((conflict) => conflict.doNothing());
  return (yield* changesOf(taken)) === 1;
}
