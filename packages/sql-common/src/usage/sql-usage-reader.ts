import {
  type AccountId, ALL_ACCOUNTS, type BreakdownDimension, type Instant, isByDay, type RequestId, type RequestTransfer, ServiceTokens, type SlicesQuery, type SummaryGrouping, type TimedRequest, tokenCount,
  type TokensUsed, type UsageBreakdown, type UsageBreakdownQuery, type UsageBucket, usageBuckets, type UsagePage, type UsageQuery, type UsageReader, type UsageReport,
  type UsageScope, type UsageSummaryQuery, utcDayOf, utcMonthOf,
} from '@tollgate/core';
import { sql } from 'kysely';
import { USAGE_RECORD_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import { allTokens } from '../schema/token-columns.js';
import { compilable, type Queries } from '../script/queries.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { newestOfSlices } from './newest-of-slices.js';
import { readBreakdown } from './read-breakdown.js';
import { decodeUsageCursor } from './usage-cursor.js';
import { readUsagePage } from './usage-page.js';
import { usageReports } from './usage-reports.js';
import { ADDED, type Fragment, groupFromColumn, NO_GROUP, type Portion, portionsByUser, type RatedSumsRow, SUMS, sumsFromRow } from './usage-sums.js';

/**
 * Maximum records that are read in the thread that serves requests. A record takes microseconds, or about a millisecond if it is not in the page
 * cache.
 */
const MAX_QUICK_PAGE = 100;
/** Maximum daily sums that are added up in the thread that serves requests. */
export const MAX_QUICK_SUMMARY = 1_000;

const TRANSFER_COLUMNS = ['seq', 'kind', 'amount', 'reference', 'at'] as const;
const TOKENS = allTokens();

/** Grouping columns of `usage_daily`. Sums by user are in another table. */
const SUMMARY_GROUPS: Readonly<Record<Exclude<SummaryGrouping, 'user'>, Fragment>> = {
  'day': sql.ref('day'), 'model': sql.ref('model'), 'key': sql.ref('key_id'), 'day-model': sql`${sql.ref('day')} || ' ' || ${sql.ref('model')}`,
};
const BREAKDOWN_GROUPS: Readonly<Record<Exclude<BreakdownDimension, 'user'>, Fragment>> = { model: sql.ref('model'), key: sql.ref('key_id') };

interface SummedDays extends Pick<UsageSummaryQuery, 'accountId' | 'from' | 'to'> {
  readonly byUser: boolean;
}

function daysOf({ accountId, from, to }: Pick<SummedDays, 'accountId' | 'from' | 'to'>): Fragment {
  return sql`account_id = ${accountId} and day >= ${utcDayOf(from)} and day < ${utcDayOf(to)}`;
}

function portionWhere(where: Fragment): Portion {
  return (rollUp, group, sums = ADDED) => sql`select ${group} as ${sql.id('part')}, usd_rate, ${sums} from ${sql.table(rollUp)} where ${where}`;
}

/** The cross join fixes the order of the join in SQLite: for each period, the account's rows of its days, found by primary key. */
function portionInPeriods(where: Fragment): Portion {
  return (rollUp, group, sums = ADDED) => sql`select label as period, ${group} as part, usd_rate, ${sums} from periods cross join ${sql.table(rollUp)}
    where ${where} and day >= since and day < before`;
}

function portionsOf({ accountId, grouping: { group }, model, keyId }: UsageBreakdownQuery): Fragment {
  const ofAccount = sql`account_id = ${accountId}`;
  if (group === 'user') return portionsByUser(portionInPeriods(ofAccount));
  const conditions = [ofAccount, ...model === null ? [] : [sql`model = ${storableText(model)}`], ...keyId === null ? [] : [sql`key_id = ${keyId}`]];
  return portionInPeriods(sql.join(conditions, sql` and `))('usage_daily', group === null ? NO_GROUP : BREAKDOWN_GROUPS[group]);
}

export class SqlUsageReader implements UsageReader {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  find(scope: UsageScope, requestId: RequestId): Promise<UsageReport | null> {
    return this.runner.read(() => this.readReport(scope, requestId));
  }

  transfersOf(scope: UsageScope, requestId: RequestId): Promise<readonly RequestTransfer[]> {
    return this.runner.read(() => this.readTransfers(scope, requestId));
  }

  async list(query: UsageQuery): Promise<UsagePage | null> {
    const after = query.cursor === null ? null : decodeUsageCursor(query.accountId, query.cursor);
    if (query.cursor !== null && after === null) return null;
    const script = () => readUsagePage(this.queries, query, after);
    return query.limit > MAX_QUICK_PAGE ? this.runner.readInSharedThread(query.accountId, script) : this.runner.read(script);
  }

  summary(query: UsageSummaryQuery): Promise<readonly UsageBucket[]> {
    const { accountId, from, to, groupBy } = query;
    return this.readSums({ accountId, from, to, byUser: groupBy === 'user' }, () => this.readBuckets(query));
  }

  breakdown(query: UsageBreakdownQuery): Promise<UsageBreakdown> {
    const { accountId, from, to, grouping, top } = query;
    return this.readSums({ accountId, from, to, byUser: grouping.group === 'user' }, () => (
      readBreakdown(this.queries, { days: { from, to }, grouping, top, portions: portionsOf(query) })));
  }

  newestOfSlices(query: SlicesQuery): Promise<readonly TimedRequest[]> {
    return this.runner.readInSharedThread(query.accountId, () => newestOfSlices(this.queries, query));
  }

  tokensUsed(accountId: AccountId, at: Instant): Promise<TokensUsed> {
    return this.runner.read(() => this.sumTokens(accountId, at));
  }

  private async readSums<T>(days: SummedDays, script: () => Script<T>): Promise<T> {
    const isLong = await this.runner.read(() => this.isLong(days));
    return isLong ? this.runner.readInSharedThread(days.accountId, script) : this.runner.read(script);
  }

  private* readReport(scope: UsageScope, requestId: RequestId): Script<UsageReport | null> {
    const row = yield* firstOf(this.queries.selectFrom('usage_records').select(USAGE_RECORD_COLUMNS)
      .where('request_id', '=', storableText(requestId))
      .$if(scope !== ALL_ACCOUNTS, (records) => records.where('account_id', '=', scope as AccountId)));
    const [report = null] = yield* usageReports(this.queries, row === null ? [] : [row]);
    return report;
  }

  private* readTransfers(scope: UsageScope, requestId: RequestId): Script<readonly RequestTransfer[]> {
    const id = storableText(requestId);
    const record = yield* firstOf(this.queries.selectFrom('usage_records').select(['account_id', 'reservation_id']).where('request_id', '=', id));
    if (record === null || (scope !== ALL_ACCOUNTS && record.account_id !== scope)) return [];
    const entries = this.queries.selectFrom('ledger_entries').select(TRANSFER_COLUMNS).orderBy('seq');
    const charges = yield* rowsOf(entries.where('reservation_id', '=', record.reservation_id));
    const refunds = yield* rowsOf(entries.where('kind', '=', 'refund').where('request_id', '=', id));
    return [...charges, ...refunds].toSorted((first, second) => (first.seq < second.seq ? -1 : 1)).map(({ kind, amount, reference, at }) => ({
      kind: kind as RequestTransfer['kind'], amount: ServiceTokens.fromUnits(amount), reference, at: instantFromColumn(at),
    }));
  }

  /** True if a summary adds up more than `MAX_QUICK_SUMMARY` daily sums. Reads no more of them than this decision requires. */
  private* isLong({ byUser, ...days }: SummedDays): Script<boolean> {
    const where = daysOf(days);
    const tables = byUser ? ['usage_daily', 'usage_daily_users'] as const : ['usage_daily'] as const;
    for (const table of tables) {
      const rows = yield* rowsOf(compilable(this.queries, sql<{ readonly day: string }>`
        select day from ${sql.table(table)} where ${where} limit 1 offset ${sql.lit(MAX_QUICK_SUMMARY)}`));
      if (rows.length > 0) return true;
    }
    return false;
  }

  private* readBuckets(query: UsageSummaryQuery): Script<readonly UsageBucket[]> {
    const { groupBy, limit } = query;
    const portion = portionWhere(daysOf(query));
    const portions = groupBy === 'user' ? portionsByUser(portion) : portion('usage_daily', SUMMARY_GROUPS[groupBy]);
    // Groups whose sums are zero again are excluded.
    const largest = sql`select part from portions group by part having sum(requests) <> 0 order by sum(charge) desc, part limit ${limit}`;
    const kept = isByDay(groupBy) ? sql`` : sql`where part in (${largest})`;
    const rows = yield* rowsOf(compilable(this.queries, sql<RatedSumsRow & { readonly group: string }>`
      with portions as (${portions})
      select part as ${sql.id('group')}, usd_rate, ${SUMS} from portions ${kept}
      group by part, usd_rate`));
    return usageBuckets(rows.map((row) => ({ group: groupFromColumn(row.group), sums: sumsFromRow(row) })), groupBy);
  }

  private* sumTokens(accountId: AccountId, at: Instant): Script<TokensUsed> {
    const month = utcMonthOf(at);
    const row = yield* firstOf(compilable(this.queries, sql<{ day: bigint; month: bigint }>`
      select cast(coalesce(sum(case when day = ${utcDayOf(at)} then ${TOKENS} else 0 end), 0) as bigint) as day,
        cast(coalesce(sum(${TOKENS}), 0) as bigint) as month
      from usage_daily where account_id = ${accountId} and day >= ${`${month}-01`} and day <= ${`${month}-31`}`));
    return { day: tokenCount(Number(row?.day ?? 0)), month: tokenCount(Number(row?.month ?? 0)) };
  }
}
