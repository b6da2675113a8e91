import { type AccountId, CHARGE_REPEATED_MILLISECONDS, type Instant, later, TOP_UP_LEASE_MILLISECONDS } from '@tollgate/core';
import { firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** True if the provider has not answered a charge of the account, and the charge may still be repeated. The caller must have locked the account. */
export function* hasUnansweredCharge(queries: Queries, accountId: AccountId, now: Instant): Script<boolean> {
  const repeatedSince = later(now, -(CHARGE_REPEATED_MILLISECONDS + TOP_UP_LEASE_MILLISECONDS));
  const charge = yield* firstOf(queries.selectFrom('payments').select('id').where('account_id', '=', accountId).where('origin', '=', 'top-up')
    .where('state', '=', 'open').where('reference', 'is', null).where('created_at', '>', BigInt(repeatedSince)).limit(1));
  return charge !== null;
}
