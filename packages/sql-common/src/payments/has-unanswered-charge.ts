import { type AccountId, type Instant, later, REQUEST_OVER_MILLISECONDS } from '@tollgate/core';
import { firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** True if the provider has not answered a charge of the account, and the charge may still be repeated. The caller must have locked the account. */
export function* hasUnansweredCharge(queries: Queries, accountId: AccountId, now: Instant): Script<boolean> {
  const charge = yield* firstOf(queries.selectFrom('payments').select('id').where('account_id', '=', accountId).where('origin', '=', 'top-up')
    .where('state', '=', 'open').where('reference', 'is', null).where('created_at', '>', BigInt(later(now, -REQUEST_OVER_MILLISECONDS))).limit(1));
  return charge !== null;
}
