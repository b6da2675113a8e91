import { rfc3339, type Webhook, type WebhookAttempt, type WebhookDelivery } from '@tollgate/core';
import { timeOrNull } from './encode-time.js';

/** The webhook without its secret. */
export function encodeWebhook({ id, url, types, description, createdAt, previousSecretExpiresAt, disabled, failingSince }: Webhook) {
  return {
    object: 'webhook' as const, id, url, types: types === null ? null : [...types], description, status: disabled === null ? 'active' as const : 'disabled' as const,
    disabled_reason: disabled?.reason ?? null, disabled_at: timeOrNull(disabled?.at ?? null), failing_since: timeOrNull(failingSince), created_at: rfc3339(createdAt),
    previous_secret_expires_at: timeOrNull(previousSecretExpiresAt),
  };
}

function encodeAttempt({ at, milliseconds, status, answer, failure }: WebhookAttempt) {
  return { at: rfc3339(at), duration_ms: milliseconds, status, answer, failure };
}

export function encodeWebhookDelivery({ eventId, type, accountId, accountSequence, state, attempts, createdAt, nextAttemptAt, lastAttempt }: WebhookDelivery) {
  return {
    object: 'webhook_delivery' as const, event_id: eventId, type, account_id: accountId, account_sequence: accountSequence, status: state, attempts, created_at: rfc3339(createdAt),
    next_attempt_at: timeOrNull(nextAttemptAt), last_attempt: lastAttempt === null ? null : encodeAttempt(lastAttempt),
  };
}
