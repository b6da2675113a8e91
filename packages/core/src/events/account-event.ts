import type { AccountId } from '../primitives/ids.js';
import type { Brand } from '../primitives/brand.js';
import type { JsonObject } from '../primitives/json.js';
import type { Instant } from '../primitives/time.js';

/** `evt_` and 32 hexadecimal digits. */
export type EventId = Brand<string, 'EventId'>;

/** Charges of requests have no event; usage records report them. */
export const EVENT_TYPES = [
  'account.created', 'account.changed', 'account.standing_changed', 'account.deleted', 'account.cap_reached',
  'key.created', 'key.changed', 'key.rotated', 'key.revoked', 'key.blocked', 'key.expired', 'key.limit_reached',
  'balance.booked', 'balance.low', 'balance.exhausted', 'credit.expiring',
  'payment.opened', 'payment.paid', 'payment.failed', 'payment.expired', 'payment.unbookable', 'payment.refunded', 'payment.refund_failed', 'payment.disputed', 'payment.dispute_won', 'payment.dispute_lost',
  'automatic_top_up.declined', 'automatic_top_up.authentication_needed', 'automatic_top_up.stopped',
  'usage.day_closed',
  'webhook.disabled',
  'upstream.down', 'upstream.up', 'upstream.credentials_refused', 'ledger.disagreement',
  'maintenance.started', 'maintenance.ended',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** An event that is not stored yet. It is stored in the same transaction as its cause. */
export interface NewEvent {
  readonly type: EventType;
  /** `null` for events of the platform. */
  readonly accountId: AccountId | null;
  readonly at: Instant;
  /** Ids, numbers, times and words from fixed lists; never a name, an address or free text, except the reference of an operator's booking. */
  readonly data: JsonObject;
}

export interface AccountEvent extends NewEvent {
  readonly id: EventId;
  /** The account's external id when the event was stored. */
  readonly externalId: string | null;
  /** 1, 2, 3 … per account without gaps; `null` for events of the platform. */
  readonly accountSequence: number | null;
}
