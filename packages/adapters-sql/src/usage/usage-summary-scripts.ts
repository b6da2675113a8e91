import {
  type AccountId, type Instant, tokenCount, type TokensUsed, type UsageBucket, type SummaryGrouping, type UsageSummaryQuery, utcDayOf, utcMonthOf,
} from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { compilable } from '../script/compilable.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { ADDED, SUMS, TAKEN_AWAY } from './roll-up-sums.js';
import { isByDay, usageBuckets, type UsageSumRow } from './usage-buckets.js';

type Fragment = RawBuilder<unknown>;

const TOKENS = sql`uncached_prompt_tokens + cached_prompt_tokens + cache_creation_tokens + reasoning_tokens + visible_output_tokens`;

/** What belongs to whom, with the sums that count for it. */
function portion(table: 'usage_daily' | 'usage_daily_users', group: Fragment, { sums = ADDED, where }: { readonly sums?: Fragment; readonly where: Fragment }): Fragment {
  return sql`select ${group} as ${sql.id('part')}, usd_rate, ${sums} from ${sql.table(table)} where ${where}`;
}

/** Those of users, and for nobody what they leave of the days. A row for nobody, as older databases hold, is both added and taken away. */
function portionsByUser(where: Fragment): Fragment {
  const nobody = sql`''`;
  return sql`${portion('usage_daily_users', sql.ref('attribution'), { where })}
    union all ${portion('usage_daily', nobody, { where })}
    union all ${portion('usage_daily_users', nobody, { sums: TAKEN_AWAY, where })}`;
}

/** By which column of the days each grouping is, except for users, who are not in it. */
const COLUMNS: Readonly<Record<Exclude<SummaryGrouping, 'user'>, Fragment>> = {
  'day': sql.ref('day'), 'model': sql.ref('model'), 'key': sql.ref('key_id'), 'day-model': sql`${sql.ref('day')} || ' ' || ${sql.ref('model')}`,
};

/** Which days of which account are summed up. */
export type DaysQuery = Pick<UsageSummaryQuery, 'accountId' | 'from' | 'to'>;

function daysOf({ accountId, from, to }: DaysQuery): Fragment {
  return sql`account_id = ${accountId} and day >= ${utcDayOf(from)} and day < ${utcDayOf(to)}`;
}

/** Sums of days, models, keys or users that take a few milliseconds to add up. */
export const LONGEST_QUICK_SUMMARY = 1_000;

/** Reads of the daily roll-ups, for any SQL database. */
export class UsageSummaryScripts {
  constructor(private readonly queries: Queries) {}

  /** Whether more sums are to be added up than takes a few milliseconds. Looks at no more of them than it needs to know. */
  * isLong(query: DaysQuery & { readonly byUser: boolean }): Script<boolean> {
    const where = daysOf(query);
    const tables = query.byUser ? ['usage_daily', 'usage_daily_users'] as const : ['usage_daily'] as const;
    for (const table of tables) {
      const rows = yield* rowsOf(compilable(this.queries, sql<{ readonly day: string }>`
        select day from ${sql.table(table)} where ${where} limit 1 offset ${sql.lit(LONGEST_QUICK_SUMMARY)}`));
      if (rows.length > 0) return true;
    }
    return false;
  }

  * summary(query: UsageSummaryQuery): Script<readonly UsageBucket[]> {
    const { groupBy, limit } = query;
    const where = daysOf(query);
    const portions = groupBy === 'user' ? portionsByUser(where) : portion('usage_daily', COLUMNS[groupBy], { where });
    // A group whose requests have all been taken away again is none.
    const largest = sql`select part from portions group by part having sum(requests) <> 0 order by sum(charge) desc, part limit ${limit}`;
    const kept = isByDay(groupBy) ? sql`` : sql`where part in (${largest})`;
    const rows = yield* rowsOf(compilable(this.queries, sql<UsageSumRow>`
      with portions as (${portions})
      select part as ${sql.id('group')}, usd_rate, ${SUMS} from portions ${kept}
      group by part, usd_rate`));
    return usageBuckets(rows, groupBy);
  }

  * tokensUsed(accountId: AccountId, at: Instant): Script<TokensUsed> {
    const month = utcMonthOf(at);
    const row = yield* firstOf(compilable(this.queries, sql<{ day: bigint; month: bigint }>`
      select cast(coalesce(sum(case when day = ${utcDayOf(at)} then ${TOKENS} else 0 end), 0) as bigint) as day,
        cast(coalesce(sum(${TOKENS}), 0) as bigint) as month
      from usage_daily where account_id = ${accountId} and day >= ${`${month}-01`} and day <= ${`${month}-31`}`));
    return { day: tokenCount(Number(row?.day ?? 0)), month: tokenCount(Number(row?.month ?? 0)) };
  }
}
