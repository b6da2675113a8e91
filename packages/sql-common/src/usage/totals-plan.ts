import { type Instant, MILLISECONDS_PER_MINUTE, startOfNextUtcDay } from '@tollgate/core';
import type { Selectable } from 'kysely';
import { instantFromColumn } from '../schema/column-values.js';
import type { UsageTotalsStateTable } from '../schema/usage-tables.js';
import { firstOf, type Queries, rowsOf, type Script } from '../script.js';

export type TotalsState = Selectable<UsageTotalsStateTable>;

/** No transaction that numbers records is open for so long, so that all with a smaller number are there by then, or never come. */
export const LONGEST_SETTLEMENT_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;

/** As many records as gateways settle in that time, and more. The first run looks at no more than these once again. */
export const MOST_OPEN_NUMBERS = 1_000_000n;

/** Up to which record everything is counted. */
export type Watermark = Pick<TotalsState, 'counted_through' | 'newest_seq' | 'newest_at'>;

export interface TotalsPlan {
  /** Days to sum up, with the late settlements of their requests at the time of the plan. */
  readonly days: ReadonlyMap<string, bigint>;
  /** Where the next run begins. */
  readonly watermark: Watermark;
}

/** Numbers are given out before they are committed, so the newest one becomes the watermark only after the longest transaction. */
export function nextWatermark({ counted_through: countedThrough, newest_seq: newestSeq, newest_at: newestAt }: Watermark, newest: bigint, at: Instant): Watermark {
  if (countedThrough !== null && BigInt(at) - newestAt < BigInt(LONGEST_SETTLEMENT_MILLISECONDS)) {
    return { counted_through: countedThrough, newest_seq: newestSeq, newest_at: newestAt };
  }
  const first = newest > MOST_OPEN_NUMBERS ? newest - MOST_OPEN_NUMBERS : 0n;
  return { counted_through: countedThrough === null ? first : newestSeq, newest_seq: newest, newest_at: BigInt(at) };
}

/** Every day that has records, one look at the index for each. */
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

/** Late settlements are few, only ever added, and change the sums of the day on which the request had ended: their number says what has changed. */
function* lateSettlementsByDay(queries: Queries): Script<ReadonlyMap<string, bigint>> {
  const rows = yield* rowsOf(queries.selectFrom('late_settlements').select(({ fn }) => ['day', fn.countAll<bigint>().as('settlements')]).groupBy('day'));
  return new Map(rows.map(({ day, settlements }) => [day, settlements]));
}

/** What has changed since the last run. What is settled after this look is found by the next run. */
export function* planTotals(queries: Queries, at: Instant): Script<TotalsPlan> {
  const state = yield* firstOf(queries.selectFrom('usage_totals_state').selectAll());
  const newest = yield* firstOf(queries.selectFrom('usage_records').select('seq').orderBy('seq', 'desc').limit(1));
  const countedThrough = state?.counted_through ?? null;
  const settled = countedThrough === null ? yield* allDays(queries) : yield* daysSince(queries, countedThrough);
  const late = yield* lateSettlementsByDay(queries);
  const totalled = yield* rowsOf(queries.selectFrom('usage_totalled_days').select(['day', 'late_settlements']));
  const counted = new Map(totalled.map(({ day, late_settlements: settlements }) => [day, settlements]));
  const changed = [...late].filter(([day, settlements]) => counted.get(day) !== settlements).map(([day]) => day);
  return {
    days: new Map([...new Set([...settled, ...changed])].toSorted().map((day) => [day, late.get(day) ?? 0n])),
    watermark: nextWatermark(state ?? { counted_through: null, newest_seq: 0n, newest_at: 0n }, newest?.seq ?? 0n, at),
  };
}
