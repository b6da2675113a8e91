import { type Instant, later, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { changesOf, compilable, firstOf, type Queries, rowsOf, type Script } from '../script.js';
import type { TotalsPlan } from './totals-plan.js';
import { type RatedSumsRow, SUMMED, SUMS } from './usage-summary-scripts.js';

/** After that another process takes over; each page that is written renews it. */
const CLAIM_MILLISECONDS = MILLISECONDS_PER_MINUTE;
/** Rows that are deleted at a time. */
const ROWS_AT_A_TIME = 400;

/** Writes of a run. A run is named by its version, which no later run has. */
export class TotalsWrites {
  constructor(private readonly queries: Queries) {}

  /** The version of a new run; `null` while another run holds the claim. */
  * claim(at: Instant): Script<bigint | null> {
    const claimed = yield* changesOf(this.queries.updateTable('usage_totals_state')
      .set({ version: sql<bigint>`version + 1`, claimed_until: later(at, CLAIM_MILLISECONDS) }).where('claimed_until', '<=', BigInt(at)));
    if (claimed === 0) return null;
    const state = yield* firstOf(this.queries.selectFrom('usage_totals_state').select('version'));
    return state?.version ?? null;
  }

  /** `false` when another run has taken over. */
  * renew(version: bigint, at: Instant): Script<boolean> {
    const renewed = yield* changesOf(this.queries.updateTable('usage_totals_state').set({ claimed_until: later(at, CLAIM_MILLISECONDS) }).where('version', '=', version));
    return renewed > 0;
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
