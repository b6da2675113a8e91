import {
  ALL_ACCOUNTS, type Clock, type DatedBreakdown, type Instant, later, MILLISECONDS_PER_MINUTE, type TotalsDimension, type TotalsQuery, type UsageTotals,
} from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import { endBy, type LeaseClock, presentBy } from '../script/lease-clock.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';
import { ModelTotals, totalsOfAccounts, type TotalsPage, type TotalsRow } from './day-totals.js';
import { planTotals, type TotalsPlan } from './plan-totals.js';
import { readBreakdown } from './read-breakdown.js';
import { ADDED } from './usage-sums.js';

/** Time after which another process takes over. Each page that is staged renews the claim. */
const CLAIM_MILLISECONDS = MILLISECONDS_PER_MINUTE;
const ROWS_DELETED_AT_A_TIME = 400;

export interface UsageTotalsParts {
  readonly queries: Queries;
  readonly runner: ScriptRunner & StepRunner;
  readonly clock: Clock;
  readonly leaseClock: LeaseClock;
}

/** Without a group, the sums of models are added up, because there are fewer of them than of accounts. */
function portionsOf({ grouping: { group }, model }: TotalsQuery): RawBuilder<unknown> {
  const dimension: TotalsDimension = group ?? 'model';
  const part = group === null ? sql`''` : sql.ref('part');
  const ofModel = model === null ? sql`` : sql`and part = ${storableText(model)}`;
  return sql`select label as period, ${part} as part, usd_rate, ${ADDED} from periods cross join usage_totalled_days as shown cross join usage_totals as totals
    where shown.day >= since and shown.day < before and totals.day = shown.day and totals.version = shown.version and dimension = ${dimension} ${ofModel}`;
}

/** Daily sums over all accounts, in separate tables. Long reads run beside requests, and writes are short. */
export class SqlUsageTotals implements UsageTotals {
  private readonly queries: Queries;

  constructor(private readonly parts: UsageTotalsParts) {
    this.queries = parts.queries;
  }

  async summedAt(): Promise<Instant | null> {
    const state = await this.parts.runner.read(() => firstOf(this.queries.selectFrom('usage_totals_state').select('summed_at')));
    return instantOrNull(state?.summed_at ?? null);
  }

  hasNewSettlements(): Promise<boolean> {
    return this.parts.runner.read(() => this.lookForNews());
  }

  async sumUp(at: Instant): Promise<boolean> {
    const { runner, leaseClock } = this.parts;
    const version = await runner.write(() => this.claim(at));
    if (version === null) return false;
    // May read a million records, which would take too long on a connection for requests.
    const plan = await runner.readInBackground(() => planTotals(this.queries, leaseClock, at));
    for (const day of plan.days.keys()) {
      if (!await this.stageDay(version, day)) return false;
    }
    if (!await runner.write(() => this.finish(version, plan, at))) return false;
    for (const day of plan.days.keys()) await this.discard(day);
    return true;
  }

  breakdown(query: TotalsQuery): Promise<DatedBreakdown | null> {
    return this.parts.runner.readInSharedThread(ALL_ACCOUNTS, () => this.readDated(query));
  }

  /** Returns `false` if another run has taken over. */
  private async stageDay(version: bigint, day: string): Promise<boolean> {
    const { runner, clock } = this.parts;
    const models = new ModelTotals();
    for (let after: string | null = ''; after !== null;) {
      const start: string = after;
      const { rows, last }: TotalsPage = await runner.readInSharedThread(ALL_ACCOUNTS, () => totalsOfAccounts(this.queries, day, start));
      for (const row of rows.filter(({ dimension }) => dimension === 'model')) models.add(row);
      if (!await runner.steps(() => this.renew(version, clock.now()))) return false;
      await runner.steps(() => this.stage(version, day, rows.filter(({ dimension }) => dimension === 'account')));
      after = last;
    }
    await runner.steps(() => this.stage(version, day, models.rows()));
    return true;
  }

  private async discard(day: string): Promise<void> {
    while (await this.parts.runner.steps(() => this.discardSome(day)));
  }

  private* lookForNews(): Script<boolean> {
    const state = yield* firstOf(this.queries.selectFrom('usage_totals_state').select('counted_through'));
    const newest = yield* firstOf(this.queries.selectFrom('usage_records').select('seq').orderBy('seq', 'desc').limit(1));
    return (newest?.seq ?? 0n) > (state?.counted_through ?? 0n);
  }

  private* readDated(query: TotalsQuery): Script<DatedBreakdown | null> {
    const state = yield* firstOf(this.queries.selectFrom('usage_totals_state').select('summed_at'));
    if (state === null || state.summed_at === null) return null;
    const { from, to, grouping, top } = query;
    const breakdown = yield* readBreakdown(this.queries, { days: { from, to }, grouping, top, portions: portionsOf(query) });
    return { asOf: instantFromColumn(state.summed_at), ...breakdown };
  }

  /** Starts a run and returns its version; `null` if another run has a claim. */
  private* claim(at: Instant): Script<bigint | null> {
    const claimed = yield* changesOf(this.queries.updateTable('usage_totals_state')
      .set({ version: sql<bigint>`version + 1`, claimed_until: this.claimEnd(at) }).where('claimed_until', '<=', presentBy(this.parts.leaseClock, at)));
    if (claimed === 0) return null;
    const state = yield* firstOf(this.queries.selectFrom('usage_totals_state').select('version'));
    return state?.version ?? null;
  }

  /** Returns `false` if another run has taken over. */
  private* renew(version: bigint, at: Instant): Script<boolean> {
    const renewed = yield* changesOf(this.queries.updateTable('usage_totals_state').set({ claimed_until: this.claimEnd(at) }).where('version', '=', version));
    return renewed > 0;
  }

  private claimEnd(at: Instant): RawBuilder<bigint> {
    return endBy(this.parts.leaseClock, { given: at, end: later(at, CLAIM_MILLISECONDS) });
  }

  /** Stores rows that are not read before the run is finished. May be repeated. */
  private* stage(version: bigint, day: string, rows: readonly TotalsRow[]): Script<void> {
    if (rows.length === 0) return;
    yield* changesOf(this.queries.insertInto('usage_totals').values(rows.map((row) => ({ ...row, day, version }))).onConflict((conflict) => conflict.doNothing()));
  }

  /** Publishes all staged rows together. Returns `false` if another run has taken over. */
  private* finish(version: bigint, { days, watermark }: TotalsPlan, at: Instant): Script<boolean> {
    const finished = yield* changesOf(this.queries.updateTable('usage_totals_state').set({ ...watermark, summed_at: at, claimed_until: 0 }).where('version', '=', version));
    if (finished === 0) return false;
    if (days.size > 0) {
      yield* changesOf(this.queries.insertInto('usage_totalled_days')
        .values([...days].map(([day, settlements]) => ({ day, version, late_settlements: settlements })))
        .onConflict((conflict) => conflict.column('day').doUpdateSet((row) => ({ version: row.ref('excluded.version'), late_settlements: row.ref('excluded.late_settlements') }))));
    }
    return true;
  }

  /** Deletes some rows of a day that were replaced or never published. Returns `false` if none were left. */
  private* discardSome(day: string): Script<boolean> {
    const shown = yield* firstOf(this.queries.selectFrom('usage_totalled_days').select('version').where('day', '=', day));
    if (shown === null) return false;
    const old = yield* firstOf(this.queries.selectFrom('usage_totals').select('version')
      .where('day', '=', day).where('version', '<', shown.version).orderBy('version').limit(1));
    if (old === null) return false;
    const rows = this.queries.deleteFrom('usage_totals').where('day', '=', day).where('version', '=', old.version);
    const bound = yield* firstOf(this.queries.selectFrom('usage_totals').select(['dimension', 'part'])
      .where('day', '=', day).where('version', '=', old.version).orderBy('dimension').orderBy('part').limit(1).offset(ROWS_DELETED_AT_A_TIME));
    yield* changesOf(bound === null ? rows : rows.where(sql<boolean>`(dimension, part) <= (${bound.dimension}, ${bound.part})`));
    return true;
  }
}
