import type { NullableWhole, Whole, WholeOrDefault } from './column-types.js';

/** `threshold` and `tokens` are in micro-tokens; `amount` and `monthly_amount` are in the smallest unit of the currency. */
export interface AutomaticTopUpTable {
  account_id: string;
  /** 0 or 1. */
  enabled: Whole;
  threshold: Whole;
  package_id: string | null;
  /** Minimum number of micro-tokens that a charge buys. */
  tokens: Whole;
  amount: Whole;
  currency: string;
  max_per_day: Whole;
  monthly_amount: Whole;
  /** Time at which the account is next examined. It is set, for example, by a booking that crosses the threshold; `null` while no top-up is due. */
  due_at: NullableWhole;
  waits_for: string | null;
  declines: WholeOrDefault;
  stop_reason: string | null;
  stopped_at: NullableWhole;
}

export interface TopUpTables {
  automatic_top_ups: AutomaticTopUpTable;
}
