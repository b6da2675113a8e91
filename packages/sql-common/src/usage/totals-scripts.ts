import { type Instant, later, MILLISECONDS_PER_MINUTE, startOfNextUtcDay } from '@tollgate/core';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { endBy, type LeaseClock, presentBy } from '../script/lease-clock.js';
import { USAGE_TOTALS_STATE_COLUMNS } from '../schema/column-lists.js';
import { changesOf, compilable, firstOf, type Queries, rowsOf, type Script } from '../script/script.js';
import { type RatedSumsRow, SUMMED, SUMS } from './usage-summary-scripts.js';
import { instantFromColumn } from '../schema/columns.js';
import type { UsageTotalsStateTable } from '../schema/record-tables.js';

/** After that another process takes over; each page that is written renews it. */
const CLAIM_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** Rows that are deleted at a time. */
const ROWS_AT_A_TIME = 400;

/** Writes of a run. A run is named by its version, which no later run has. */
export class TotalsWrites {
  constructor(private readonly queries: Queries, private readonly clock: LeaseClock) {}

  /** The version of a new run; `null` while another run holds the claim. */
  * claim(at: Instant): Script<bigint | null> {
    const claimed = yield* changesOf(this.queries.updateTable('usage_totals_state')
      .set({ version: sql<bigint>`version + 1`, claimed_until: this.claimEnd(at) }).where('claimed_until', '<=', presentBy(this.clock, at)));
    if (claimed === 0) return null;
    const state = yield* firstOf(this.queries.selectFrom('usage_totals_state').select('version'));
    return state?.version ?? null;
  }

  /** `false` when another run has taken over. */
  * renew(version: bigint, at: Instant): Script<boolean> {
    const renewed = yield* changesOf(this.queries.updateTable('usage_totals_state').set({ claimed_until: this.claimEnd(at) }).where('version', '=', version));
    return renewed > 0;
  }

  private claimEnd(at: Instant): RawBuilder<bigint> {
    return endBy(this.clock, { given: at, end: later(at, CLAIM_MILLISECONDS) });
  }

  /** Rows that nothing shows until the run is finished. Written twice, they are there once. */
  * stage(version: bigint, day: string, rows: readonly TotalsRow[]): Script<void> {
    if (rows.length === 0) return;
    yield* changesOf(this.queries.insertInto('usage_totals').values(rows.map((row) => ({ ...row, day, version }))).onConflict((conflict) => conflict.doNothing()));
  }

  /** Shows all that the run has staged, at once; `false` when another run has taken over. */
  * finish(version: bigint, { days, watermark }: TotalsPlan, at: Instant): Script<boolean> {
    const finished = yield* changesOf(this.queries.updateTable('usage_totals_state').set({ ...watermark, summed_at: at, claimed_until: 0 }).where('version', '=', version));
    if (finished === 0) return false;
    if (days.size > 0) {
      yield* changesOf(this.queries.insertInto('usage_totalled_days')
        .values([...days].map(([day, settlements]) => ({ day, version, late_settlements: settlements })))
        .onConflict((conflict) => conflict.column('day').doUpdateSet((row) => ({ version: row.ref('excluded.version'), late_settlements: row.ref('excluded.late_settlements') }))));
    }
    return true;
  }

  /** Deletes some rows of a day that have been replaced, or were never shown; `false` when there are no more. */
  * discard(day: string): Script<boolean> {
    const shown = yield* firstOf(this.queries.selectFrom('usage_totalled_days').select('version').where('day', '=', day));
    if (shown === null) return false;
    const old = yield* firstOf(this.queries.selectFrom('usage_totals').select('version')
      .where('day', '=', day).where('version', '<', shown.version).orderBy('version').limit(1));
    if (old === null) return false;
    const rows = this.queries.deleteFrom('usage_totals').where('day', '=', day).where('version', '=', old.version);
    const bound = yield* firstOf(this.queries.selectFrom('usage_totals').select(['dimension', 'part'])
      .where('day', '=', day).where('version', '=', old.version).orderBy('dimension').orderBy('part').limit(1).offset(ROWS_AT_A_TIME));
    yield* changesOf(bound === null ? rows : rows.where(sql<boolean>`(dimension, part) <= (${bound.dimension}, ${bound.part})`));
    return true;
  }
}

/** Accounts whose roll-ups of a day are read, and written, at a time. */
export const ACCOUNTS_AT_A_TIME = 200;

/** What one group of one dimension adds up to on one day at one rate. */
interface TotalsRow extends RatedSumsRow {
  readonly dimension: 'account' | 'model';
  readonly part: string;
}

export interface TotalsPage {
  readonly rows: readonly TotalsRow[];
  /** The account with which it ends; `null` for the last one. */
  readonly last: string | null;
}

function accountsBetween(after: string, last: string | null): RawBuilder<unknown> {
  return last === null ? sql`accounts.id > ${after}` : sql`accounts.id > ${after} and accounts.id <= ${last}`;
}

/**
 * The sums of a day over the next accounts, by account and by model; both are of one state of the database. Roll-ups are kept by account, so each
 * account is looked up by itself; the cross join keeps that order in SQLite.
 */
export function* totalsOfAccounts(queries: Queries, day: string, after: string): Script<TotalsPage> {
  const end = yield* firstOf(queries.selectFrom('accounts').select('id').where('id', '>', after).orderBy('id').limit(1).offset(ACCOUNTS_AT_A_TIME - 1));
  const last = end?.id ?? null;
  const rows = yield* rowsOf(compilable(queries, sql<TotalsRow>`
    with cells as (
      select account_id, model, usd_rate, ${SUMS} from accounts cross join usage_daily
      where ${accountsBetween(after, last)} and account_id = accounts.id and day = ${day} group by account_id, model, usd_rate)
    select 'account' as dimension, account_id as part, usd_rate, ${SUMS} from cells group by account_id, usd_rate
    union all select 'model', model, usd_rate, ${SUMS} from cells group by model, usd_rate`));
  return { rows, last };
}

/** Adds up the sums of models over one page of accounts after the other. */
export class ModelTotals {
  readonly #byModelAndRate = new Map<string, TotalsRow>();

  add(row: TotalsRow): void {
    const key = JSON.stringify([row.part, row.usd_rate]);
    const sofar = this.#byModelAndRate.get(key);
    const sums = Object.fromEntries(SUMMED.map((name) => [name, row[name] + (sofar?.[name] ?? 0n)]));
    this.#byModelAndRate.set(key, { ...row, ...sums });
  }

  rows(): readonly TotalsRow[] {
    return [...this.#byModelAndRate.values()];
  }
}

export type TotalsState = Selectable<UsageTotalsStateTable>;

/** No transaction that numbers records is open for so long, so that all with a smaller number are there by then, or never come. */
export const MAX_SETTLEMENT_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;

/** As many records as gateways settle in that time, and more. The first run looks at no more than these once again. */
export const MAX_OPEN_NUMBERS = 1_000_000n;

/** Up to which record everything is counted. */
export type Watermark = Pick<TotalsState, 'counted_through' | 'newest_seq' | 'newest_at'>;

interface TotalsPlan {
  /** Days to sum up, with the late settlements of their requests at the time of the plan. */
  readonly days: ReadonlyMap<string, bigint>;
  /** Where the next run begins. */
  readonly watermark: Watermark;
}

/** Numbers are given out before they are committed, so the newest one becomes the watermark only after the longest transaction. */
export function nextWatermark({ counted_through: countedThrough, newest_seq: newestSeq, newest_at: newestAt }: Watermark, newest: bigint, at: Instant): Watermark {
  if (countedThrough !== null && BigInt(at) - newestAt < BigInt(MAX_SETTLEMENT_MILLISECONDS)) {
    return { counted_through: countedThrough, newest_seq: newestSeq, newest_at: newestAt };
  }
  const first = newest > MAX_OPEN_NUMBERS ? newest - MAX_OPEN_NUMBERS : 0n;
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
