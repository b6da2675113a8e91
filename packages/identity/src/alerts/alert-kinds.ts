import type { EventType } from '@tollgate/core';

/**
 * Events that are mailed to the owner of an account, unless the owner has turned the kind off. Operators also get mail about their own disabled
 * webhooks.
 */
export const OPTIONAL_ALERT_KINDS = ['balance.low', 'balance.exhausted', 'key.limit_reached', 'account.cap_reached', 'webhook.disabled', 'credit.expiring'] as const satisfies readonly EventType[];

/**
 * Owners cannot turn off notices of failed refunds, of automatic charges that were declined or need authentication, and of automatic top-up that
 * stopped.
 */
const PAYMENT_ALERT_KINDS = ['payment.refund_failed', 'automatic_top_up.declined', 'automatic_top_up.authentication_needed', 'automatic_top_up.stopped'] as const satisfies readonly EventType[];

export const ALERT_KINDS = [...OPTIONAL_ALERT_KINDS, ...PAYMENT_ALERT_KINDS] as const;

export type OptionalAlertKind = (typeof OPTIONAL_ALERT_KINDS)[number];
export type AlertKind = (typeof ALERT_KINDS)[number];

export function isAlertKind(type: EventType): type is AlertKind {
  return (ALERT_KINDS as readonly EventType[]).includes(type);
}
