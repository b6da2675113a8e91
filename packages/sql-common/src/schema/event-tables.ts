import type { NullableWhole, Sequence, Whole } from './columns.js';

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
  /** Micro-tokens. */
  minimum_reservation: Whole;
  /** The last account to which a changed policy is applied; empty before the first one, `null` if it is applied to all. */
  applied_through: string | null;
}
