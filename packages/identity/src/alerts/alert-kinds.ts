import type { EventType } from '@tollgate/core';

/** Events that the owner of an account is told of by mail, unless the owner has turned the kind off. Operators are told of disabled webhooks of the operators too. */
export const ALERT_KINDS = ['balance.low', 'balance.exhausted', 'key.limit_reached', 'account.cap_reached', 'webhook.disabled'] as const satisfies readonly EventType[];

export type AlertKind = (typeof ALERT_KINDS)[number];

export function isAlertKind(type: EventType): type is AlertKind {
  return (ALERT_KINDS as readonly EventType[]).includes(type);
}
