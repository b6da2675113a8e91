import type { NullableText, NullableWhole, Sequence, Whole, WholeOrDefault } from './column-types.js';

/** `position` is `null` until the feed has assigned one. `seq` is the order of writing, which can differ from that of commits. */
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

/** One row. */
export interface EventFeedTable {
  id: Whole;
  last_position: Whole;
}

/** One row. `thresholds` is the text of the setting. */
export interface AlertPolicyTable {
  id: Whole;
  thresholds: string;
  /** In micro-tokens. */
  minimum_reservation: Whole;
  /** The last account to which a changed policy is applied; empty before the first one, `null` if it is applied to all. */
  applied_through: string | null;
}

/** One row per account and kind of event that was mailed, waits for a mail, or was turned off. */
export interface AccountAlertTable {
  account_id: string;
  kind: string;
  disabled: WholeOrDefault;
  /** The last mail; 0 before the first one. */
  mailed_at: WholeOrDefault;
  /** JSON list of ids of events, oldest first; `null` for none. */
  waiting: NullableText;
}

/** One row. The last event that alerts have considered. */
export interface AlertCursorTable {
  id: Whole;
  position: Whole;
}

/** A token cap that has refused a request in a period. */
export interface ReachedCapTable {
  account_id: string;
  /** A UTC day or month. */
  period: string;
  reached_at: Whole;
}

/** Present problems. */
export interface ConditionTable {
  /** JSON. */
  condition: string;
  /** When a gateway last reported the condition. */
  named_at: Whole;
  /** Milliseconds after `named_at`. */
  ends_after: Whole;
}
