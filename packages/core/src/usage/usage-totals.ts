import type { ModelSlug } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { DayRange } from './calendar-periods.js';
import type { BreakdownGrouping, UsageBreakdown } from './usage-breakdown.js';

/** What the requests of all accounts can be grouped by. Their days are summed up by either, not by both. */
export const TOTALS_DIMENSIONS = ['model', 'account'] as const;
export type TotalsDimension = (typeof TOTALS_DIMENSIONS)[number];

export interface TotalsQuery extends DayRange {
  readonly grouping: BreakdownGrouping<TotalsDimension>;
  /** How many groups are told apart; at least 1. */
  readonly top: number;
  /** Requests that this model served alone. No filter goes with grouping by account. */
  readonly model: ModelSlug | null;
}

export interface DatedBreakdown extends UsageBreakdown {
  /** Everything settled by then is counted. */
  readonly asOf: Instant;
}

/** The usage of all accounts, day by day, as it was when it was last summed up. */
export interface UsageTotals {
  /** `null` before the first time. */
  summedAt(): Promise<Instant | null>;
  /** Whether requests may have been settled since that are not counted. */
  hasNews(): Promise<boolean>;
  /**
   * Sums up the days on which something has been settled since, however long ago they are. `false` where another process is at it, or took over.
   * Killed at any moment, it leaves what was there before.
   */
  sumUp(at: Instant): Promise<boolean>;
  /** Totals per period and group; `null` before anything was summed up. */
  breakdown(query: TotalsQuery): Promise<DatedBreakdown | null>;
}
