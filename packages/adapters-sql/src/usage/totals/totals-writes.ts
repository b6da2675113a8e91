import { type Instant, later, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { sql } from 'kysely';
import type { Queries } from '../../script/queries.js';
import { changesOf, firstOf, type Script } from '../../script/script.js';
import type { TotalsRow } from './day-totals.js';
import type { TotalsPlan } from './totals-plan.js';

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
