import type { AuditedBy, EventId, EventType, Instant, Webhook, WebhookDelivery, WebhookId, WebhookOwner } from '@tollgate/core';

export interface WebhookCreation {
  readonly webhook: Webhook;
  /** The secret, sealed by `SecretSealer`. */
  readonly sealedSecret: string;
  /** Maximum number of webhooks of this owner. */
  readonly maximum: number;
}

/** Absent fields are unchanged. */
export interface WebhookChange {
  readonly url?: string;
  readonly types?: readonly EventType[] | null;
  readonly description?: string;
  /** `false` disables the webhook; `true` enables a disabled one and forgets its failures. */
  readonly active?: boolean;
}

export interface WebhookRotation {
  readonly sealedSecret: string;
  readonly previousExpiresAt: Instant;
}

export interface WebhookDeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  /** The `after` of the next page; `null` on the last one. */
  readonly next: string | null;
}

/** Which events are sent again: one, delivered or not, or all events since a time that were not delivered. */
export type WebhookResend = { readonly eventId: EventId } | { readonly since: Instant };

/** A webhook by owner and id; another owner's webhook counts as unknown. */
export interface WebhookName {
  readonly owner: WebhookOwner;
  readonly id: WebhookId;
}

/** Stored webhooks. Every change is audited in the same transaction. Methods return `null` or false if there is no such webhook. */
export interface WebhookRecords {
  create(creation: WebhookCreation, by: AuditedBy): Promise<'created' | 'too-many'>;
  /** The owner's webhooks, newest first. */
  list(owner: WebhookOwner): Promise<readonly Webhook[]>;
  find(name: WebhookName): Promise<Webhook | null>;
  change(name: WebhookName, change: WebhookChange, by: AuditedBy): Promise<Webhook | null>;
  /** The replaced secret stays valid until `previousExpiresAt`; a secret of an earlier rotation becomes invalid at once. */
  rotate(name: WebhookName, rotation: WebhookRotation, by: AuditedBy): Promise<Webhook | null>;
  /** A running delivery may still send the events that it has read. */
  delete(name: WebhookName, by: AuditedBy): Promise<boolean>;
  /** Queues an event `webhook.test`; `null` also for a disabled webhook. */
  test(name: WebhookName, by: AuditedBy): Promise<EventId | null>;
  /**
   * Queues events again, and enables a disabled webhook. One event is queued even if the webhook does not subscribe to its type. `no-such-event`: it
   * does not exist, is not in the feed yet, or belongs to another account than the webhook.
   */
  resend(name: WebhookName, resend: WebhookResend, by: AuditedBy): Promise<'queued' | 'no-such-webhook' | 'no-such-event'>;
  /** Deliveries, newest first; `null` also if `after` is malformed. */
  deliveries(name: WebhookName, page: { readonly limit: number; readonly after: string | null }): Promise<WebhookDeliveryPage | null>;
}
