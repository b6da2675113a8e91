import { type Instant, later, MILLISECONDS_PER_DAY } from '@tollgate/core';
import type { AnsweredChallenge } from '@tollgate/identity';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** Time for which hashes are kept after the challenge expires, because gateways whose clocks are behind still accept it. */
const KEPT_MILLISECONDS = MILLISECONDS_PER_DAY;

/** Returns true to exactly one of several calls with the same challenge. Deletes hashes of challenges that expired long ago. */
export function* takeChallenge(queries: Queries, { hash, expiresAt }: AnsweredChallenge, at: Instant): Script<boolean> {
  yield* changesOf(queries.deleteFrom('used_challenges').where('expires_at', '<=', BigInt(later(at, -KEPT_MILLISECONDS))));
  const taken = queries.insertInto('used_challenges').values({ hash, expires_at: expiresAt }).onConflict((conflict) => conflict.doNothing());
  return (yield* changesOf(taken)) === 1;
}
