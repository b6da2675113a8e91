import type { BookedAct, Instant } from '@tollgate/core';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** Makes the account due for a check of its credits, if the act books a credit that expires, or a refund, which may belong to such a credit. */
export function* watchCredits(queries: Queries, { accountId, kind, at }: BookedAct, expiresAt: Instant | null): Script<void> {
  if (kind === 'refund') yield* changesOf(queries.updateTable('credit_snapshots').set({ next_at: at }).where('account_id', '=', accountId));
  if (expiresAt === null) return;
  yield* changesOf(queries.insertInto('credit_snapshots').values({ account_id: accountId, next_at: at, credits: '[]' })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ next_at: at })));
}
