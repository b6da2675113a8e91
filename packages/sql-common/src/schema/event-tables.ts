import type { NullableText, NullableWhole, Sequence, Whole, WholeOrDefault } from './column-types.js';

/** `position` is `null` until the feed assigns one. `seq` is in the order of writing, which may differ from the order of commits. */
export interface EventTable {
  seq: Sequence;
  id: string;
  type: string;
  account_id: string | null;
  external_id: string | null;
  account_sequence: NullableWhole;
  occurred_at: Whole;
  /** JSON. */
  data: string;
  position: NullableWhole;
}

/** Table with one row: the last position that the feed has assigned. */
export interface EventFeedTable {
  id: Whole;
  last_position: Whole;
}

/** Table with one row. `thresholds` is the text of the setting. */
export interface AlertPolicyTable {
  id: Whole;
  thresholds: string;
  /** In micro-tokens. */
  minimum_reservation: Whole;
  /** Last account to which a changed policy applies: empty before the first one, and `null` when it applies to all. */
  applied_through: string | null;
}

/** One row for each account and kind of event that was mailed, waits to be mailed, or is turned off. */
export interface AccountAlertTable {
  account_id: string;
  kind: string;
  disabled: WholeOrDefault;
  /** Time of the last message; 0 before the first one. */
  mailed_at: WholeOrDefault;
  /** JSON list of event ids, from oldest to newest; `null` if none are waiting. */
  waiting: NullableText;
}

/** Table with one row: the last event that was examined for alerts. */
export interface AlertCursorTable {
  id: Whole;
  position: Whole;
}

/** A token cap that has refused a request in its period. */
export interface ReachedCapTable {
  account_id: string;
  /** UTC day or month. */
  period: string;
  reached_at: Whole;
}

/** Problems that gateways report at present. */
export interface ConditionTable {
  /** JSON. */
  condition: string;
  /** Time at which a gateway last reported the condition. */
  named_at: Whole;
  /** Milliseconds after `named_at` at which the condition ends. */
  ends_after: Whole;
}
