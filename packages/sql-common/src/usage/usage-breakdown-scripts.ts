import {
  type BreakdownDimension, type BreakdownGrouping, breakdownOf, type CalendarPeriod, type DayRange, periodsOf, type UsageBreakdown,
  type UsageBreakdownQuery, type UsageSlice, utcDayOf,
} from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { compilable, type Queries, rowsOf, type Script } from '../script.js';
import { ADDED, groupOfColumn, type RatedSumsRow, SUMMED, SUMS, sumsOfRow, TAKEN_AWAY } from './usage-summary-scripts.js';

type Fragment = RawBuilder<unknown>;

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
