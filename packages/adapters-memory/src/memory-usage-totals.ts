import {
  type AccountId, breakdownOf, type DatedBreakdown, type Instant, NO_USAGE_FILTERS, passesUsageFilters, rankUsage, type TotalsDimension, type TotalsQuery,
  type UsageRecord, type UsageTotals,
} from '@tollgate/core';
import { cellsOf, groupOf } from './usage-cells.js';
import type { UsageJournal } from './usage-journal.js';

const GROUPS: Readonly<Record<TotalsDimension, (record: UsageRecord) => AccountId | string | null>> = {
  model: (record) => groupOf(record, 'model'), account: ({ accountId }) => accountId,
};

/** Usage totals of all accounts as of the last update. */
export class MemoryUsageTotals implements UsageTotals {
  #summed: { readonly at: Instant; readonly records: readonly UsageRecord[] } | null = null;

  constructor(private readonly journal: UsageJournal) {}

  summedAt(): Promise<Instant | null> {
    return Promise.resolve(this.#summed?.at ?? null);
  }

  hasNewSettlements(): Promise<boolean> {
    return Promise.resolve(this.journal.size > (this.#summed?.records.length ?? 0));
  }

  sumUp(at: Instant): Promise<boolean> {
    this.#summed = { at, records: this.journal.all() };
    return Promise.resolve(true);
  }

  breakdown({ from, to, grouping: { unit, group }, top, model }: TotalsQuery): Promise<DatedBreakdown | null> {
    if (this.#summed === null) return Promise.resolve(null);
    const { at: asOf, records } = this.#summed;
    const counted = records.filter((record) => passesUsageFilters(record, { ...NO_USAGE_FILTERS, model }));
    const cells = cellsOf(counted, { from, to, unit }, (record) => (group === null ? null : GROUPS[group](record)));
    return Promise.resolve({ asOf, ...breakdownOf(rankUsage(cells, top)) });
  }
}
