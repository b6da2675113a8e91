import type { AccountId } from '../primitives/ids.js';
import type { Brand } from '../primitives/brand.js';
import type { Instant } from '../primitives/time.js';
import type { AccountEvent, EventId, EventType } from './account-event.js';

/** `hook_<id>` */
export type WebhookId = Brand<string, 'WebhookId'>;

/** The owner of an account, or `null` for the operators. */
export type WebhookOwner = AccountId | null;

/** `failing`: no delivery succeeded for five days. `gone`: it answered 410. */
export const WEBHOOK_DISABLED_REASONS = ['requested', 'failing', 'gone'] as const;
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number];

/** An address to which events are sent. */
export interface Webhook {
  readonly id: WebhookId;
  /** A webhook of an account receives the account's events, one of the operators all events. */
  readonly owner: WebhookOwner;
  readonly url: string;
  /** `null` for all. */
  readonly types: readonly EventType[] | null;
  /** May be empty. */
  readonly description: string;
  readonly createdAt: Instant;
  /** The end, possibly past, of signing with the previous secret as well; `null` if the secret was never rotated. */
  readonly previousSecretExpiresAt: Instant | null;
  /** `null` while it is active. */
  readonly disabled: { readonly at: Instant; readonly reason: WebhookDisabledReason } | null;
  /** The first failure after the last success; `null` after a success. */
  readonly failingSince: Instant | null;
}

/** What a webhook receives: an event of the feed, or one that its owner asked for as a test. */
export type WebhookEventType = EventType | 'webhook.test';

export type WebhookEvent = Omit<AccountEvent, 'type'> & { readonly type: WebhookEventType };

/** `failed`: no further attempt is made. */
export type WebhookDeliveryState = 'waiting' | 'delivered' | 'failed';

/** The result of one attempt. */
export interface WebhookAttempt {
  readonly at: Instant;
  readonly milliseconds: number;
  /** `null` if no answer came. */
  readonly status: number | null;
  /** The first KiB of the answer's body; `null` if there was none. */
  readonly answer: string | null;
  /** Why it failed, in one line; `null` if it succeeded. */
  readonly failure: string | null;
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  readonly eventId: EventId;
  readonly type: WebhookEventType;
  readonly accountId: AccountId | null;
  readonly accountSequence: number | null;
  readonly state: WebhookDeliveryState;
  /** All attempts since the event was last queued. */
  readonly attempts: number;
  readonly createdAt: Instant;
  /** `null` if the next attempt is due at once, or none follows. */
  readonly nextAttemptAt: Instant | null;
  /** `null` before the first attempt. */
  readonly lastAttempt: WebhookAttempt | null;
}
