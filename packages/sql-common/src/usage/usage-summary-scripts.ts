import {
  type AccountId, type BreakdownDimension, type BreakdownGrouping, breakdownOf, type CalendarPeriod, countSumsOf, type DayRange, type GroupSums,
  type Instant, instant, invariant, isByDay, parseUtcDay, periodsOf, ServiceTokens, startOfNextUtcDay, type SummaryGrouping, tokenCount,
  type TokenRate, type TokensUsed, type UsageBreakdown, type UsageBreakdownQuery, type UsageBucket, usageBuckets, type UsageQuery,
  type UsageSlice, type UsageSummaryQuery, type UsageSums, UsdAmount, utcDayOf, utcMonthOf,
} from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { compilable, firstOf, type Queries, rowsOf, type Script } from '../script/script.js';
import { allTokens, COUNT_COLUMNS, type CountColumn, countsFromRow } from '../schema/token-columns.js';
import type { UsagePosition } from './sql-usage-reader.js';

/** What roll-ups sum up, in the order of their columns. */
export const SUMMED: readonly ('requests' | CountColumn | 'charge')[] = ['requests', ...COUNT_COLUMNS, 'charge'];

export const ADDED = sql.join(SUMMED.map((column) => sql.ref(column)));
const TAKEN_AWAY = sql.join(SUMMED.map((column) => sql`-${sql.ref(column)}`));
/** Cast since some databases widen the sum of 64-bit numbers to a type of their own. */
export const SUMS = sql.join(SUMMED.map((column) => sql`cast(sum(${sql.ref(column)}) as bigint) as ${sql.id(column)}`));

/** Sums of requests that were charged at one rate. */
export interface RatedSumsRow extends Readonly<Record<(typeof SUMMED)[number], bigint>> {
  readonly usd_rate: string;
}

function sumsOfRow(row: RatedSumsRow): UsageSums {
  const charged = ServiceTokens.fromUnits(row.charge);
  return {
    requests: Number(row.requests),
    ...countSumsOf(countsFromRow(row)),
    charged,
    chargedUsd: UsdAmount.worthOf(charged, row.usd_rate as TokenRate),
  };
}

/** The empty text stands for no model, key or user. */
function groupOfColumn(group: string): GroupSums['group'] {
  return group === '' ? null : group;
}

/** Sums of one group at one rate. */
interface UsageSumRow extends RatedSumsRow {
  readonly group: string;
}

type Fragment = RawBuilder<unknown>;

const TOKENS = allTokens();

type RollUp = 'usage_daily' | 'usage_daily_users';

/** Selects rows of a roll-up: the group that they belong to, and the sums that count for it. */
type Portion = (rollUp: RollUp, group: Fragment, sums?: Fragment) => Fragment;

const NO_GROUP = sql`''`;

/** The sums of users, and under no user what they leave of the days. A row without a user, as older databases hold, is both added and taken away. */
function portionsByUser(portion: Portion): Fragment {
  return sql`${portion('usage_daily_users', sql.ref('attribution'))}
    union all ${portion('usage_daily', NO_GROUP)}
    union all ${portion('usage_daily_users', NO_GROUP, TAKEN_AWAY)}`;
}

function portionWhere(where: Fragment): Portion {
  return (rollUp, group, sums = ADDED) => sql`select ${group} as ${sql.id('part')}, usd_rate, ${sums} from ${sql.table(rollUp)} where ${where}`;
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
export const MAX_QUICK_SUMMARY = 1_000;

/** Reads of the daily roll-ups, for any SQL database. */
export class UsageSummaryScripts {
  constructor(private readonly queries: Queries) {}

  /** Whether more sums are to be added up than takes a few milliseconds. Looks at no more of them than it needs to know. */
  * isLong(query: DaysQuery & { readonly byUser: boolean }): Script<boolean> {
    const where = daysOf(query);
    const tables = query.byUser ? ['usage_daily', 'usage_daily_users'] as const : ['usage_daily'] as const;
    for (const table of tables) {
      const rows = yield* rowsOf(compilable(this.queries, sql<{ readonly day: string }>`
        select day from ${sql.table(table)} where ${where} limit 1 offset ${sql.lit(MAX_QUICK_SUMMARY)}`));
      if (rows.length > 0) return true;
    }
    return false;
  }

  * summary(query: UsageSummaryQuery): Script<readonly UsageBucket[]> {
    const { groupBy, limit } = query;
    const where = daysOf(query);
    const portion = portionWhere(where);
    const portions = groupBy === 'user' ? portionsByUser(portion) : portion('usage_daily', COLUMNS[groupBy]);
    // A group whose requests have all been taken away again is none.
    const largest = sql`select part from portions group by part having sum(requests) <> 0 order by sum(charge) desc, part limit ${limit}`;
    const kept = isByDay(groupBy) ? sql`` : sql`where part in (${largest})`;
    const rows = yield* rowsOf(compilable(this.queries, sql<UsageSumRow>`
      with portions as (${portions})
      select part as ${sql.id('group')}, usd_rate, ${SUMS} from portions ${kept}
      group by part, usd_rate`));
    return usageBuckets(rows.map((row) => ({ group: groupOfColumn(row.group), sums: sumsOfRow(row) })), groupBy);
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

/** Sums of one group, or of all others, in one period and at one rate. */
interface SliceRow extends RatedSumsRow {
  readonly period: string;
  readonly part: string;
  readonly kept: bigint | number;
  /** Groups that are counted here and at no other rate of the period. */
  readonly groups: bigint;
  /** Groups of all periods. */
  readonly all_groups: bigint;
}

export interface BreakdownSource {
  readonly days: DayRange;
  readonly grouping: BreakdownGrouping<string>;
  readonly top: number;
  /**
   * Rows of roll-ups with the label of the period `periods` that their day is in: `period`, `part` for the group, `usd_rate`, and what is summed.
   * The days of a period are those from `since` on that come before `before`.
   */
  readonly portions: Fragment;
}

/** The whole range where no unit divides it. */
function periodsIn({ from, to }: DayRange, { unit }: BreakdownGrouping<string>): readonly CalendarPeriod[] {
  return unit === null ? [{ label: '', from: utcDayOf(from), before: utcDayOf(to) }] : periodsOf(unit, { from, to });
}

function sliceOf({ unit }: BreakdownGrouping<string>): (row: SliceRow) => UsageSlice {
  return (row) => {
    const isOther = Number(row.kept) === 0;
    return { period: unit === null ? null : row.period, group: isOther ? null : groupOfColumn(row.part), isOther, groups: Number(row.groups), sums: sumsOfRow(row) };
  };
}

const CELL_SUMS = sql.join(SUMMED.map((column) => sql`cells.${sql.id(column)}`));

/**
 * Adds up roll-ups by period and group. The database ranks the groups as the core does and takes the others together, so that what is read does
 * not grow with their number. Each group of a period is counted at one of its rates, and not at all where its requests have been taken back.
 */
export function* readBreakdown(queries: Queries, { days, grouping, top, portions }: BreakdownSource): Script<UsageBreakdown> {
  const periods = sql.join(periodsIn(days, grouping).map(({ label, from, before }) => sql`(${label}, ${from}, ${before})`));
  const rows = yield* rowsOf(compilable(queries, sql<SliceRow>`
    with periods(label, since, before) as (values ${periods}),
    portions as (${portions}),
    cells as (select period, part, usd_rate, ${SUMS} from portions group by period, part, usd_rate),
    ranked as (
      select part, row_number() over (order by sum(charge) desc, case when part = '' then 1 else 0 end, part) as place, count(*) over () as all_groups
      from cells group by part having sum(requests) <> 0),
    marked as (
      select cells.period, case when place <= ${top} then cells.part else '' end as part, case when place <= ${top} then 1 else 0 end as kept,
        case when row_number() over (partition by cells.period, cells.part order by usd_rate) = 1
          and sum(requests) over (partition by cells.period, cells.part) <> 0 then 1 else 0 end as counted, all_groups, usd_rate, ${CELL_SUMS}
      from cells join ranked on ranked.part = cells.part)
    select period, part, kept, usd_rate, cast(sum(counted) as bigint) as groups, cast(max(all_groups) as bigint) as all_groups, ${SUMS}
    from marked group by period, part, kept, usd_rate`));
  const otherGroups = Math.max(0, Number(rows[0]?.all_groups ?? 0) - top);
  return breakdownOf({ slices: rows.map(sliceOf(grouping)), otherGroups });
}

const DIMENSION_COLUMNS: Readonly<Record<Exclude<BreakdownDimension, 'user'>, Fragment>> = { model: sql.ref('model'), key: sql.ref('key_id') };

/** The cross join keeps the order in which SQLite joins: for each period the account's rows of its days, found by the primary key. */
function portionInPeriods(where: Fragment): Portion {
  return (rollUp, group, sums = ADDED) => sql`select label as period, ${group} as part, usd_rate, ${sums} from periods cross join ${sql.table(rollUp)}
    where ${where} and day >= since and day < before`;
}

function portionsOf({ accountId, grouping: { group }, model, keyId }: UsageBreakdownQuery): Fragment {
  const ofAccount = sql`account_id = ${accountId}`;
  if (group === 'user') return portionsByUser(portionInPeriods(ofAccount));
  const conditions = [ofAccount, ...model === null ? [] : [sql`model = ${model}`], ...keyId === null ? [] : [sql`key_id = ${keyId}`]];
  return portionInPeriods(sql.join(conditions, sql` and `))('usage_daily', group === null ? NO_GROUP : DIMENSION_COLUMNS[group]);
}

/** Summaries of an account's daily roll-ups, for any SQL database. */
export class UsageBreakdownScripts {
  constructor(private readonly queries: Queries) {}

  breakdown(query: UsageBreakdownQuery): Script<UsageBreakdown> {
    const { from, to, grouping, top } = query;
    return readBreakdown(this.queries, { days: { from, to }, grouping, top, portions: portionsOf(query) });
  }
}
