import type {
  AccountId, EventId, EventType, Webhook, WebhookAttempt, WebhookDelivery, WebhookDeliveryState, WebhookDisabledReason, WebhookEventType, WebhookId,
} from '@tollgate/core';
import type { Selectable } from 'kysely';
import { columnsOf } from '../schema/column-lists.js';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import type { WebhookDeliveryTable, WebhookEndpointTable } from '../schema/webhook-tables.js';

export const WEBHOOK_COLUMNS = columnsOf<Pick<
  WebhookEndpointTable, 'id' | 'account_id' | 'url' | 'types' | 'description' | 'created_at' | 'previous_expires_at' | 'disabled_at' | 'disabled_reason' | 'failing_since'
>>({
  id: true, account_id: true, url: true, types: true, description: true, created_at: true, previous_expires_at: true, disabled_at: true, disabled_reason: true, failing_since: true,
});

export const DELIVERY_COLUMNS = columnsOf<WebhookDeliveryTable>({
  endpoint_id: true, event_id: true, event_type: true, account_id: true, account_sequence: true, position: true, state: true, attempts: true, next_at: true, created_at: true,
  last_at: true, last_milliseconds: true, last_status: true, last_answer: true, last_failure: true,
});

export function webhookFromRow(row: Pick<Selectable<WebhookEndpointTable>, (typeof WEBHOOK_COLUMNS)[number]>): Webhook {
  const disabledAt = instantOrNull(row.disabled_at);
  return {
    id: row.id as WebhookId, owner: row.account_id as AccountId | null, url: row.url, types: row.types === null ? null : JSON.parse(row.types) as readonly EventType[],
    description: row.description, createdAt: instantFromColumn(row.created_at), previousSecretExpiresAt: instantOrNull(row.previous_expires_at),
    disabled: disabledAt === null ? null : { at: disabledAt, reason: row.disabled_reason as WebhookDisabledReason }, failingSince: instantOrNull(row.failing_since),
  };
}

function attemptFromRow({ last_at: at, last_milliseconds: milliseconds, last_status: status, last_answer: answer, last_failure: failure }: Selectable<WebhookDeliveryTable>): WebhookAttempt | null {
  return at === null ? null : { at: instantFromColumn(at), milliseconds: Number(milliseconds ?? 0), status: status === null ? null : Number(status), answer, failure };
}

export function deliveryFromRow(row: Selectable<WebhookDeliveryTable>): WebhookDelivery {
  const nextAt = Number(row.next_at);
  return {
    eventId: row.event_id as EventId, type: row.event_type as WebhookEventType, accountId: row.account_id as AccountId | null,
    accountSequence: row.account_sequence === null ? null : Number(row.account_sequence), state: row.state as WebhookDeliveryState, attempts: Number(row.attempts),
    createdAt: instantFromColumn(row.created_at), nextAttemptAt: row.state === 'waiting' && nextAt > 0 ? instantFromColumn(row.next_at) : null, lastAttempt: attemptFromRow(row),
  };
}
