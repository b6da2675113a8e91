import {
  type AccountId, type Instant, tokenCount, type TokensUsed, type UsageBucket, type UsageGrouping, type UsageSummaryQuery, utcDayOf, utcMonthOf,
} from '@tollgate/core';
import { sql } from 'kysely';
import { compilable } from '../script/compilable.js';
import type { Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import { usageBuckets, type UsageSumRow } from './usage-buckets.js';

/** Where each grouping is summed up, and by which column. */
const GROUPINGS: Readonly<Record<UsageGrouping, { readonly table: 'usage_daily' | 'usage_daily_users'; readonly column: string }>> = {
  day: { table: 'usage_daily', column: 'day' },
  model: { table: 'usage_daily', column: 'model' },
  key: { table: 'usage_daily', column: 'key_id' },
  user: { table: 'usage_daily_users', column: 'attribution' },
};

const SUMMED = [
  'requests', 'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens', 'charge',
] as const;

/** Cast since some databases widen the sum of 64-bit numbers to a type of their own. */
const SUMS = sql.join(SUMMED.map((column) => sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.id(column)}`));
const TOKENS = sql`uncached_prompt_tokens + cached_prompt_tokens + cache_creation_tokens + reasoning_tokens + visible_output_tokens`;

/** Reads of the daily roll-ups, for any SQL database. */
export class UsageSummaryScripts {
  constructor(private readonly queries: Queries) {}

  * summary({ accountId, from, to, groupBy, limit }: UsageSummaryQuery): Script<readonly UsageBucket[]> {
    const { table, column } = GROUPINGS[groupBy];
    const sums = sql`from ${sql.table(table)} where account_id = ${accountId} and day >= ${utcDayOf(from)} and day < ${utcDayOf(to)}`;
    const largest = sql`select ${sql.ref(column)} ${sums} group by ${sql.ref(column)} order by sum(charge) desc, ${sql.ref(column)} limit ${limit}`;
    const kept = groupBy === 'day' ? sql`` : sql`and ${sql.ref(column)} in (${largest})`;
    const rows = yield* rowsOf(compilable(this.queries, sql<UsageSumRow>`
      select ${sql.ref(column)} as ${sql.id('group')}, usd_rate, ${SUMS} ${sums} ${kept}
      group by ${sql.ref(column)}, usd_rate`));
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
