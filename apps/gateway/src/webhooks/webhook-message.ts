import { rfc3339, type Instant, type WebhookEvent } from '@tollgate/core';

/** A request to a webhook, as Standard Webhooks defines it. */
export interface WebhookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The event as the feed shows it; `timestamp` is when it happened. */
function encodeWebhookEvent({ id, type, accountId, externalId, accountSequence, at, data }: WebhookEvent): string {
  return JSON.stringify({ type, timestamp: rfc3339(at), id, account_id: accountId, external_id: externalId, account_sequence: accountSequence, data });
}

/** Signed with every secret, the present one first. The library is loaded at the first message. */
export async function signedMessage(event: WebhookEvent, secrets: readonly string[], at: Instant): Promise<WebhookMessage> {
  const { Webhook } = await import('standardwebhooks');
  const [body, date] = [encodeWebhookEvent(event), new Date(at)];
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event.id, date, body));
  return {
    headers: {
      'content-type': 'application/json', 'user-agent': 'Tollgate', 'webhook-id': event.id, 'webhook-timestamp': String(Math.floor(at / 1000)), 'webhook-signature': signatures.join(' '),
    },
    body,
  };
}
