import { type Instant, MILLISECONDS_PER_MINUTE, startOfNextUtcDay } from '@tollgate/core';
import type { Selectable } from 'kysely';
import { USAGE_TOTALS_STATE_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn } from '../schema/column-values.js';
import type { UsageTotalsStateTable } from '../schema/record-tables.js';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** Longer than any transaction that numbers records. This long after a number was seen, every record with a smaller number is committed or never will be. */
export const MAX_SETTLEMENT_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;

/**
 * More than the number of records that can be settled within `MAX_SETTLEMENT_MILLISECONDS`. Bounds how many records the runs after the first one
 * examine again.
 */
export const MAX_OPEN_NUMBERS = 1_000_000n;

/** `counted_through` is the `seq` up to which all records are included in the sums. */
export type Watermark = Pick<Selectable<UsageTotalsStateTable>, 'counted_through' | 'newest_seq' | 'newest_at'>;

export interface TotalsPlan {
  /** Days to be summed up, each with the number of its late settlements at the time of the plan. */
  readonly days: ReadonlyMap<string, bigint>;
  /** Watermark of the next run. */
  readonly watermark: Watermark;
}

/**
 * Moves the watermark to `newest_seq` when no transaction from before it can still be open. Numbers are assigned before the commit, so a record with
 * a smaller number could otherwise be missed.
 */
export function nextWatermark({ counted_through: countedThrough, newest_seq: newestSeq, newest_at: newestAt }: Watermark, newest: bigint, at: Instant): Watermark {
  if (countedThrough !== null && BigInt(at) - newestAt < BigInt(MAX_SETTLEMENT_MILLISECONDS)) {
    return { counted_through: countedThrough, newest_seq: newestSeq, newest_at: newestAt };
  }
  const first = newest > MAX_OPEN_NUMBERS ? newest - MAX_OPEN_NUMBERS : 0n;
  return { counted_through: countedThrough === null ? first : newestSeq, newest_seq: newest, newest_at: BigInt(at) };
}

/** Days that have records, each found by one look-up in an index. */
function* allDays(queries: Queries): Script<readonly string[]> {
  const days: string[] = [];
  for (let from: number | null = 0; from !== null;) {
    const first: { readonly day: string; readonly ended_at: bigint } | null = yield* firstOf(
      queries.selectFrom('usage_records').select(['day', 'ended_at']).where('ended_at', '>=', BigInt(from)).orderBy('ended_at').limit(1));
    if (first !== null) days.push(first.day);
    from = first === null ? null : startOfNextUtcDay(instantFromColumn(first.ended_at));
  }
  return days;
}

function* daysSince(queries: Queries, countedThrough: bigint): Script<readonly string[]> {
  const rows = yield* rowsOf(queries.selectFrom('usage_records').select('day').distinct().where('seq', '>', countedThrough));
  return rows.map(({ day }) => day);
}

/**
 * Number of late settlements by day. A late settlement changes the sums of the day on which the request ended. None is ever deleted, so a changed
 * number means a changed day.
 */
function* lateSettlementsByDay(queries: Queries): Script<ReadonlyMap<string, bigint>> {
  const rows = yield* rowsOf(queries.selectFrom('late_settlements').select(({ fn }) => ['day', fn.countAll<bigint>().as('settlements')]).groupBy('day'));
  return new Map(rows.map(({ day, settlements }) => [day, settlements]));
}

/** Plans the next run: the days that changed since the last one, and its watermark. */
export function* planTotals(queries: Queries, clock: LeaseClock, at: Instant): Script<TotalsPlan> {
  const state = yield* firstOf(queries.selectFrom('usage_totals_state').select(USAGE_TOTALS_STATE_COLUMNS).select(presentBy(clock, at).as('present')));
  const newest = yield* firstOf(queries.selectFrom('usage_records').select('seq').orderBy('seq', 'desc').limit(1));
  const countedThrough = state?.counted_through ?? null;
  const settled = countedThrough === null ? yield* allDays(queries) : yield* daysSince(queries, countedThrough);
  const late = yield* lateSettlementsByDay(queries);
  const totalled = yield* rowsOf(queries.selectFrom('usage_totalled_days').select(['day', 'late_settlements']));
  const counted = new Map(totalled.map(({ day, late_settlements: settlements }) => [day, settlements]));
  const changed = [...late].filter(([day, settlements]) => counted.get(day) !== settlements).map(([day]) => day);
  return {
    days: new Map([...new Set([...settled, ...changed])].toSorted().map((day) => [day, late.get(day) ?? 0n])),
    watermark: nextWatermark(state ?? { counted_through: null, newest_seq: 0n, newest_at: 0n }, newest?.seq ?? 0n, state === null ? at : instantFromColumn(state.present)),
  };
}
