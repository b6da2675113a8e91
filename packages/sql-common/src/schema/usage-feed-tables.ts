import type { Whole } from './column-types.js';

/** One row per settlement or late settlement. Append-only. */
export interface UsageFeedTable {
  position: Whole;
  /** 1 for a late settlement, otherwise 0. */
  late: Whole;
  /** `seq` of the usage record or of the late settlement. */
  source: Whole;
  /** UTC day of the booking. It is never a day that was closed before the position was assigned. */
  day: string;
}

/** Table with one row: how far positions are assigned and days closed. */
export interface UsageFeedStateTable {
  id: Whole;
  last_position: Whole;
  /** `seq` up to which every usage record has a position or was rolled back. */
  records_through: Whole;
  /** Like `records_through`, for late settlements. */
  late_through: Whole;
  /** The next `records_through`. It applies when all transactions before `pending_transaction` have ended. PostgreSQL only. */
  pending_records: Whole;
  /** Like `pending_records`, for late settlements. */
  pending_late: Whole;
  pending_transaction: Whole;
  /** First UTC day that is not closed; empty before the first closing. */
  open_from: string;
}

/** Sums of the feed's settlements per account and day. Deleted in the transaction that stores the event of the closed day. */
export interface UsageBookedDayTable {
  day: string;
  account_id: string;
  settlements: Whole;
  late_settlements: Whole;
  /** In micro-tokens. */
  charge: Whole;
}

export interface UsageFeedTables {
  usage_feed: UsageFeedTable;
  usage_feed_state: UsageFeedStateTable;
  usage_booked_days: UsageBookedDayTable;
}
