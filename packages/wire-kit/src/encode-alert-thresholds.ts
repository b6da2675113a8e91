import type { AccountAlerts } from '@tollgate/core';

/** Amounts of service tokens as decimal strings. */
export function encodeAlertThresholds({ chosen, low }: AccountAlerts) {
  return { alert_thresholds: chosen?.map((amount) => amount.toString()) ?? null, alert_thresholds_in_force: low.map((amount) => amount.toString()) };
}
