import { type BreakdownGrouping, breakdownOf, type CalendarPeriod, type DayRange, periodsOf, type UsageBreakdown, type UsageSlice, utcDayOf } from '@tollgate/core';
import { sql } from 'kysely';
import { compilable, type Queries } from '../script/queries.js';
import { rowsOf, type Script } from '../script/script.js';
import { type Fragment, groupFromColumn, type RatedSumsRow, SUMMED, SUMS, sumsFromRow } from './usage-sums.js';

/** Sums of one group, or of all groups that are not listed, in one period and at one rate. */
interface SliceRow extends RatedSumsRow {
  readonly period: string;
  readonly part: string;
  readonly kept: bigint | number;
  /** Number of groups in the period. A group with several rates counts as one. */
  readonly groups: bigint;
  /** Number of groups over all periods. */
  readonly all_groups: bigint;
}

export interface BreakdownSource {
  readonly days: DayRange;
  readonly grouping: BreakdownGrouping<string>;
  readonly top: number;
  /**
   * Query for rows of daily sums joined to `periods`, whose `before` is the first day after the period. Its columns are `period` (the label), `part`
   * (the group), `usd_rate` and the sums.
   */
  readonly portions: Fragment;
}

/** Without a unit, the whole range is one period. */
function periodsIn({ from, to }: DayRange, { unit }: BreakdownGrouping<string>): readonly CalendarPeriod[] {
  return unit === null ? [{ label: '', from: utcDayOf(from), before: utcDayOf(to) }] : periodsOf(unit, { from, to });
}

function sliceOf({ unit }: BreakdownGrouping<string>): (row: SliceRow) => UsageSlice {
  return (row) => {
    const isOther = Number(row.kept) === 0;
    return { period: unit === null ? null : row.period, group: isOther ? null : groupFromColumn(row.part), isOther, groups: Number(row.groups), sums: sumsFromRow(row) };
  };
}

const CELL_SUMS = sql.join(SUMMED.map((column) => sql`cells.${sql.id(column)}`));

/**
 * Sums by period and group. The database ranks the groups as the core does, and merges those that are not listed, so that the result is bounded. A
 * group whose sums are zero again is not counted.
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
