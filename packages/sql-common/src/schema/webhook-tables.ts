import type { NullableWhole, Whole, WholeOrDefault } from './column-types.js';

/** `types` is a JSON list; `null` for all types. Secrets are sealed. */
export interface WebhookEndpointTable {
  id: string;
  /** `null` for a webhook of operators. */
  account_id: string | null;
  url: string;
  types: string | null;
  description: string;
  secret: string;
  previous_secret: string | null;
  previous_expires_at: NullableWhole;
  created_at: Whole;
  disabled_at: NullableWhole;
  disabled_reason: string | null;
  failing_since: NullableWhole;
  /** Time of the deletion. The row is removed after its deliveries. */
  deleted_at: NullableWhole;
  /** Time at which a delivery is due; `null` if none is waiting or the webhook is disabled. */
  due_at: NullableWhole;
  /** Time before which no turn begins, because one is running or the webhook pauses after a failure. */
  leased_until: NullableWhole;
  /** Number of turns so far. */
  turns: WholeOrDefault;
  /**
   * Events after this position that occurred since `resend_since` are to be sent again; `null` if none are. For a webhook of an owner, the position
   * is that in the account's sequence, otherwise that in the feed.
   */
  resend_after: NullableWhole;
  resend_since: NullableWhole;
}

/** Delivery of an event to a webhook. `state` is `waiting`, `delivered` or `failed`. The columns `last_…` concern the last attempt. */
export interface WebhookDeliveryTable {
  endpoint_id: string;
  event_id: string;
  event_type: string;
  account_id: string | null;
  account_sequence: NullableWhole;
  /** Position of the event in the feed; 0 for a test event. */
  position: Whole;
  state: string;
  attempts: Whole;
  /** 0 before the first attempt. */
  next_at: Whole;
  created_at: Whole;
  last_at: NullableWhole;
  last_milliseconds: NullableWhole;
  last_status: NullableWhole;
  last_answer: string | null;
  last_failure: string | null;
}

/** Table with one row: the position up to which the feed is queued for webhooks. */
export interface WebhookFeedTable { id: Whole; position: Whole }
