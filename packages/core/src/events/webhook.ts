import type { AccountId } from '../primitives/ids.js';
import type { Brand } from '../primitives/brand.js';
import type { Instant } from '../primitives/time.js';
import type { AccountEvent, EventId, EventType } from './account-event.js';

/** `hook_<id>` */
export type WebhookId = Brand<string, 'WebhookId'>;

/** The account that owns the webhook; `null` if it belongs to the operators. */
export type WebhookOwner = AccountId | null;

/** `failing`: no delivery succeeded for five days. `gone`: the address answered 410. */
export const WEBHOOK_DISABLED_REASONS = ['requested', 'failing', 'gone'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/** An address to which events are sent. */
export interface Webhook {
  readonly id: WebhookId;
  /** An account's webhook receives the account's events; a webhook of the operators receives all events. */
  readonly owner: WebhookOwner;
  readonly url: string;
  /** `null` for all. */
  readonly types: readonly EventType[] | null;
  /** May be empty. */
  readonly description: string;
  readonly createdAt: Instant;
  /** Until then, possibly in the past, deliveries are signed with the previous secret too; `null` if the secret was never rotated. */
  readonly previousSecretExpiresAt: Instant | null;
  /** `null` while the webhook is active. */
  readonly disabled: { readonly at: Instant; readonly reason: WebhookDisabledReason } | null;
  /** Time of the first failure after the last success; `null` without one. */
  readonly failingSince: Instant | null;
}

/** Type of what a webhook receives: an event of the feed, or a test that its owner requested. */
export type WebhookEventType = EventType | 'webhook.test';

export type WebhookEvent = Omit<AccountEvent, 'type'> & { readonly type: WebhookEventType };

/** `failed`: no further attempt is made. */
export type WebhookDeliveryState = 'waiting' | 'delivered' | 'failed';

export interface WebhookAttempt {
  readonly at: Instant;
  readonly milliseconds: number;
  /** `null` if no response arrived. */
  readonly status: number | null;
  /** The first KiB of the response's body; `null` if there was none. */
  readonly answer: string | null;
  /** Why the attempt failed, in one line; `null` if it succeeded. */
  readonly failure: string | null;
}

/** The delivery of one event to one webhook. */
export interface WebhookDelivery {
  readonly eventId: EventId;
  readonly type: WebhookEventType;
  readonly accountId: AccountId | null;
  readonly accountSequence: number | null;
  readonly state: WebhookDeliveryState;
  /** Number of attempts since the event was last queued. */
  readonly attempts: number;
  readonly createdAt: Instant;
  /** `null` if the next attempt is due at once, or none follows. */
  readonly nextAttemptAt: Instant | null;
  /** `null` before the first attempt. */
  readonly lastAttempt: WebhookAttempt | null;
}
