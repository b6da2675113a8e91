import { ALL_ACCOUNTS, type Clock, type DatedBreakdown, type Instant, type TotalsDimension, type TotalsQuery, type UsageTotals } from '@tollgate/core';
import { type RawBuilder, sql } from 'kysely';
import type { LeaseClock } from '../script/lease-clock.js';
import { instantFromColumn, instantOrNull } from '../schema/columns.js';
import { firstOf, type Queries, type Script, type ScriptRunner, type StepRunner } from '../script/script.js';
import { ModelTotals, planTotals, totalsOfAccounts, type TotalsPage, TotalsWrites } from './totals-scripts.js';
import { ADDED, readBreakdown } from './usage-summary-scripts.js';

export interface UsageTotalsParts {
  readonly queries: Queries;
  readonly runner: ScriptRunner & StepRunner;
  readonly clock: Clock;
  readonly leaseClock: LeaseClock;
}

/** Without a group either dimension will do; there are fewer models. */
function portionsOf({ grouping: { group }, model }: TotalsQuery): RawBuilder<unknown> {
  const dimension: TotalsDimension = group ?? 'model';
  const part = group === null ? sql`''` : sql.ref('part');
  const ofModel = model === null ? sql`` : sql`and part = ${model}`;
  return sql`select label as period, ${part} as part, usd_rate, ${ADDED} from periods cross join usage_totalled_days as shown cross join usage_totals as totals
    where shown.day >= since and shown.day < before and totals.day = shown.day and totals.version = shown.version and dimension = ${dimension} ${ofModel}`;
}

/** Days summed up over all accounts, in tables of their own. Reads go beside the requests, and writes are short. */
export class SqlUsageTotals implements UsageTotals {
  private readonly queries: Queries;
  private readonly writes: TotalsWrites;

  constructor(private readonly parts: UsageTotalsParts) {
    this.queries = parts.queries;
    this.writes = new TotalsWrites(parts.queries, parts.leaseClock);
  }

  summedAt(): Promise<Instant | null> {
    return this.parts.runner.read(() => this.readSummedAt());
  }

  hasNewSettlements(): Promise<boolean> {
    return this.parts.runner.read(() => this.lookForNews());
  }

  async sumUp(at: Instant): Promise<boolean> {
    const { runner, leaseClock } = this.parts;
    const version = await runner.write(() => this.writes.claim(at));
    if (version === null) return false;
    // May look at a million records: longer than a connection that requests wait for allows.
    const plan = await runner.readInBackground(() => planTotals(this.queries, leaseClock, at));
    for (const day of plan.days.keys()) {
      if (!await this.stageDay(version, day)) return false;
    }
    if (!await runner.write(() => this.writes.finish(version, plan, at))) return false;
    for (const day of plan.days.keys()) await this.discard(day);
    return true;
  }

  breakdown(query: TotalsQuery): Promise<DatedBreakdown | null> {
    return this.parts.runner.readInSharedThread(ALL_ACCOUNTS, () => this.readDated(query));
  }

  /** Stages all sums of a day, some accounts at a time; `false` when another run has taken over. */
  private async stageDay(version: bigint, day: string): Promise<boolean> {
    const { runner, clock } = this.parts;
    const models = new ModelTotals();
    for (let after: string | null = ''; after !== null;) {
      const start: string = after;
      const { rows, last }: TotalsPage = await runner.readInSharedThread(ALL_ACCOUNTS, () => totalsOfAccounts(this.queries, day, start));
      for (const row of rows.filter(({ dimension }) => dimension === 'model')) models.add(row);
      if (!await runner.steps(() => this.writes.renew(version, clock.now()))) return false;
      await runner.steps(() => this.writes.stage(version, day, rows.filter(({ dimension }) => dimension === 'account')));
      after = last;
    }
    await runner.steps(() => this.writes.stage(version, day, models.rows()));
    return true;
  }

  private async discard(day: string): Promise<void> {
    while (await this.parts.runner.steps(() => this.writes.discard(day)));
  }

  private* readSummedAt(): Script<Instant | null> {
    const state = yield* firstOf(this.queries.selectFrom('usage_totals_state').select('summed_at'));
    return instantOrNull(state?.summed_at ?? null);
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
}
