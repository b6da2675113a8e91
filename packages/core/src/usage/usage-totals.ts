import type { ModelSlug } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { DayRange } from './calendar-periods.js';
import type { BreakdownGrouping, UsageBreakdown } from './usage-breakdown.js';

/** Each has its own daily sums. */
export const TOTALS_DIMENSIONS = ['model', 'account'] as const;
export type TotalsDimension = (typeof TOTALS_DIMENSIONS)[number];

export interface TotalsQuery extends DayRange {
  readonly grouping: BreakdownGrouping<TotalsDimension>;
  /** Groups listed separately; at least 1. */
  readonly top: number;
  /** Served by this model; not with grouping by account. */
  readonly model: ModelSlug | null;
}

export interface DatedBreakdown extends UsageBreakdown {
  /** Includes everything settled until then. */
  readonly asOf: Instant;
}

/** Daily totals over all accounts, as of the last run. */
export interface UsageTotals {
  /** `null` before the first run. */
  summedAt(): Promise<Instant | null>;
  /** Requests may have been settled since the last run. */
  hasNewSettlements(): Promise<boolean>;
  /**
   * Recomputes all days with new settlements, however old. False if another process runs it or took over. Atomic: a killed run leaves the
   * previous totals.
   */
  sumUp(at: Instant): Promise<boolean>;
  /** `null` before the first run. */
  breakdown(query: TotalsQuery): Promise<DatedBreakdown | null>;
}
