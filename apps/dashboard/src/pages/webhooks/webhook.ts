import type { Reply } from '../../api/call';
import { gatewayNow } from '../../format/gateway-time';

export type Webhook = Reply<'readWebhook'>;
export type ListedWebhook = Reply<'listWebhooks'>['data'][number];
export type Delivery = Reply<'listWebhookDeliveries'>['data'][number];
/** Reply that contains the secret. No later reply contains it. */
export type IssuedWebhook = Reply<'createWebhook'>;
export type EventType = NonNullable<Webhook['types']>[number];

export type WebhookState = 'delivering' | 'failing' | 'requested' | 'stopped' | 'gone';

export function stateOf({ status, disabled_reason: reason, failing_since: failing }: Pick<Webhook, 'status' | 'disabled_reason' | 'failing_since'>): WebhookState {
  if (status === 'disabled') return reason === 'failing' ? 'stopped' : reason ?? 'requested';
  return failing === null ? 'delivering' : 'failing';
}

/** Host of a URL, without path and query, which may contain secrets. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Time until which the replaced secret signs too; `null` if only the current one signs. */
export function overlapUntil({ previous_secret_expires_at: until }: Pick<Webhook, 'previous_secret_expires_at'>, now: Date = gatewayNow()): string | null {
  return until !== null && Date.parse(until) > now.getTime() ? until : null;
}

const OVERLAP = 86_400_000;

/** Time until which the current secret would still sign if it were rotated now. */
export function rotationUntil(now: Date = gatewayNow()): string {
  return new Date(now.getTime() + OVERLAP).toISOString();
}
