import type { Instant, Webhook, WebhookAttempt, WebhookDisabledReason, WebhookEvent, WebhookId } from '@tollgate/core';

export interface SealedWebhookSecrets {
  readonly sealedSecret: string;
  /** `null` if no previous secret still signs. */
  readonly sealedPreviousSecret: string | null;
}

/** The right to deliver to one webhook until a lease expires. */
export interface WebhookTurn extends SealedWebhookSecrets {
  readonly webhook: Webhook;
  /** Number of this turn; later turns have higher numbers. */
  readonly number: number;
}

export interface DueDelivery {
  /** `null` if the event was removed meanwhile or cannot be read. */
  readonly event: WebhookEvent | null;
  readonly isUnreadable: boolean;
  readonly eventId: string;
  readonly attempts: number;
}

export interface WebhookClaim {
  readonly at: Instant;
  readonly leaseExpiresAt: Instant;
  /** Whose webhooks are claimed. */
  readonly of: 'operators' | 'owners';
}

export interface WebhookResult {
  readonly delivery: DueDelivery;
  readonly attempt: WebhookAttempt;
  /** Time of the next attempt after a failure; `null` if there is none. */
  readonly nextAttemptAt: Instant | null;
}

/**
 * Deliveries of webhooks. Every event of the feed has a delivery for each webhook that subscribes to it, existed when the event occurred, and is
 * enabled when `spread` reaches the event. A resend queues events that a disabled webhook missed.
 */
export interface WebhookQueue {
  /** Queues some events of the feed that are not queued yet, and some that are to be sent again; returns how many it considered. */
  spread(at: Instant): Promise<number>;
  /** The webhook that has been due for the longest time and has no valid lease; `null` if there is none. */
  claim(claim: WebhookClaim): Promise<WebhookTurn | null>;
  /** Due deliveries. Those without an attempt come first, in the order of the feed; within an account, that is the order of `accountSequence`. */
  due(id: WebhookId, at: Instant, limit: number): Promise<readonly DueDelivery[]>;
  /**
   * Stores the result of an attempt, and, if there was an event to send, the webhook's `failingSince`. If the delivery was attempted or ended
   * meanwhile, it stays unchanged. Without effect once another turn has begun.
   */
  record(turn: WebhookTurn, result: WebhookResult): Promise<void>;
  /** Ends the lease; no turn begins before `pauseUntil`. Without effect once another turn has begun. */
  finish(turn: WebhookTurn, at: Instant, pauseUntil: Instant): Promise<void>;
  /** Replaces the sealed form of the same secrets. Without effect if they were rotated since the turn began. */
  reseal(turn: WebhookTurn, secrets: SealedWebhookSecrets): Promise<void>;
  /**
   * Disables a webhook; audited. Waiting deliveries are not attempted, and no further events are queued, until the webhook is enabled. False, and
   * without effect, if it is disabled already or another turn has begun.
   */
  disable(turn: WebhookTurn, reason: WebhookDisabledReason, at: Instant): Promise<boolean>;
  /** Deletes some deliveries that were queued before this time or whose webhook is deleted; returns how many. */
  prune(before: Instant): Promise<number>;
}
