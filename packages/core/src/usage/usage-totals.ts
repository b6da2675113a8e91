import type { ModelSlug } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { DayRange } from './calendar-periods.js';
import type { BreakdownGrouping, UsageBreakdown } from './usage-breakdown.js';

/** Each dimension has daily sums of its own. */
export const TOTALS_DIMENSIONS = ['model', 'account'] as const;
export type TotalsDimension = (typeof TOTALS_DIMENSIONS)[number];

export interface TotalsQuery extends DayRange {
  readonly grouping: BreakdownGrouping<TotalsDimension>;
  /** Maximum groups that are listed separately; at least 1. */
  readonly top: number;
  /** Only requests that this model served; `null` for all. Must be `null` with grouping by account. */
  readonly model: ModelSlug | null;
}

export interface DatedBreakdown extends UsageBreakdown {
  /** The breakdown includes everything that was settled until then. */
  readonly asOf: Instant;
}

/** Daily totals over all accounts, as of the last run. */
export interface UsageTotals {
  /** `null` before the first run. */
  summedAt(): Promise<Instant | null>;
  /** True if requests have ended since the last run. Late settlements alone do not count. */
  hasNewSettlements(): Promise<boolean>;
  /**
   * Recomputes all days with new settlements, however old. False if another process is computing or has taken over. Atomic: a killed run leaves the
   * previous totals.
   */
  sumUp(at: Instant): Promise<boolean>;
  /** `null` before the first run. */
  breakdown(query: TotalsQuery): Promise<DatedBreakdown | null>;
}
