import { type AccountId, type Instant, instant, invariant, parseUtcDay, startOfNextUtcDay, type UsageQuery, utcDayOf } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { firstOf, type Script } from '../script/script.js';
import type { UsagePosition } from './usage-cursor.js';

/** A query of one account's records. */
export type AccountUsageQuery = UsageQuery & { readonly accountId: AccountId };

/** The last instant a page may begin with. */
function beginningOf({ to }: UsageQuery, after: UsagePosition | null): Instant | null {
  return after === null ? to : instant(Number(after.endedAt));
}

/**
 * When the newest day ends, of those not after where a page begins, on which the account had a request with the query's model and key; `null` when
 * there is none. The daily sums say so, which have a row for every model and key of a day, so that no record of the days between is looked at.
 */
export function* endOfNewestDay(queries: Queries, query: AccountUsageQuery, after: UsagePosition | null): Script<Instant | null> {
  const { accountId, model, keyId, from } = query;
  const beginning = beginningOf(query, after);
  const newest = yield* firstOf(queries.selectFrom('usage_daily').select('day').where('account_id', '=', accountId)
    .$if(model !== null, (days) => days.where('model', '=', model ?? ''))
    .$if(keyId !== null, (days) => days.where('key_id', '=', keyId ?? ''))
    .$if(from !== null, (days) => days.where('day', '>=', from === null ? '' : utcDayOf(from)))
    .$if(beginning !== null, (days) => days.where('day', '<=', beginning === null ? '' : utcDayOf(beginning)))
    .orderBy('day', 'desc').limit(1));
  if (newest === null) return null;
  const start = parseUtcDay(newest.day);
  invariant(start !== null, 'days are stored as they are written');
  return startOfNextUtcDay(start);
}
