import type { BreakdownDimension, UsageBreakdown, UsageBreakdownQuery } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import type { Queries } from '../script/queries.js';
import type { Script } from '../script/script.js';
import { readBreakdown } from './read-breakdown.js';
import { ADDED, TAKEN_AWAY } from './roll-up-sums.js';

type Fragment = RawBuilder<unknown>;
type RollUp = 'usage_daily' | 'usage_daily_users';

const NO_GROUP = sql`''`;
const COLUMNS: Readonly<Record<Exclude<BreakdownDimension, 'user'>, Fragment>> = { model: sql.ref('model'), key: sql.ref('key_id') };

/** The cross join keeps the order in which SQLite joins: for each period the account's rows of its days, found by the primary key. */
function portion(rollUp: RollUp, { group, sums = ADDED, where }: { readonly group: Fragment; readonly sums?: Fragment; readonly where: Fragment }): Fragment {
  return sql`select label as period, ${group} as part, usd_rate, ${sums} from periods cross join ${sql.table(rollUp)}
    where ${where} and day >= since and day < before`;
}

/** As in `UsageSummaryScripts`: those of users, and for nobody what they leave of the days. */
function portionsByUser(where: Fragment): Fragment {
  return sql`${portion('usage_daily_users', { group: sql.ref('attribution'), where })}
    union all ${portion('usage_daily', { group: NO_GROUP, where })}
    union all ${portion('usage_daily_users', { group: NO_GROUP, sums: TAKEN_AWAY, where })}`;
}

function portionsOf({ accountId, grouping: { group }, model, keyId }: UsageBreakdownQuery): Fragment {
  const ofAccount = sql`account_id = ${accountId}`;
  if (group === 'user') return portionsByUser(ofAccount);
  const conditions = [ofAccount, ...model === null ? [] : [sql`model = ${model}`], ...keyId === null ? [] : [sql`key_id = ${keyId}`]];
  return portion('usage_daily', { group: group === null ? NO_GROUP : COLUMNS[group], where: sql.join(conditions, sql` and `) });
}

/** Summaries of an account's daily roll-ups, for any SQL database. */
export class UsageBreakdownScripts {
  constructor(private readonly queries: Queries) {}

  breakdown(query: UsageBreakdownQuery): Script<UsageBreakdown> {
    const { from, to, grouping, top } = query;
    return readBreakdown(this.queries, { days: { from, to }, grouping, top, portions: portionsOf(query) });
  }
}
