import type { NullableWhole, Whole, WholeOrDefault } from './column-types.js';

/** `types` is a JSON list, `null` for all. Secrets are sealed. */
export interface WebhookEndpointTable {
  id: string;
  /** `null` for webhooks of the operators. */
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
  /** When it was deleted; the row is removed after its deliveries. */
  deleted_at: NullableWhole;
  /** When a delivery is due; `null` if none waits. */
  due_at: NullableWhole;
  /** No turn begins before this time: a turn is running, or the webhook pauses after a failure. */
  leased_until: NullableWhole;
  /** Turns begun so far. */
  turns: WholeOrDefault;
  /**
   * Events since `resend_since` after this position are to be sent again; `null` for none. The position is in the feed, of an owner's webhook in the
   * account's sequence.
   */
  resend_after: NullableWhole;
  resend_since: NullableWhole;
}

/** One event for one webhook. `state` is `waiting`, `delivered` or `failed`; the columns `last_…` are those of the last attempt. */
export interface WebhookDeliveryTable {
  endpoint_id: string;
  event_id: string;
  event_type: string;
  account_id: string | null;
  account_sequence: NullableWhole;
  /** Position of the event in the feed; 0 for a test. */
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

/** One row: the position up to which events of the feed are queued for webhooks. */
export interface WebhookFeedTable { id: Whole; position: Whole }
