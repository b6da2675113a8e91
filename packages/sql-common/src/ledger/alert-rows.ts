import { type AlertPolicy, type EffectiveAlerts, invariant, parseAlertThresholds, ServiceTokens, sortedThresholds } from '@tollgate/core';

/**
 * Thresholds with which the account's bookings are compared. `alert_below` is the highest of them: a balance that stays at or above it crosses none.
 * `top_up_below` is zero without automatic top-up.
 */
export interface AlertColumns {
  readonly low_alerts: string;
  readonly exhausted_below: bigint;
  readonly alert_below: bigint;
  readonly top_up_below: bigint;
}

function unitsToJson(amounts: readonly ServiceTokens[]): string {
  return JSON.stringify(amounts.map((amount) => amount.toUnits().toString()));
}

function unitsFromJson(column: string): readonly ServiceTokens[] {
  return (JSON.parse(column) as readonly string[]).map((units) => ServiceTokens.fromUnits(BigInt(units)));
}

/** @param topUpBelow in micro-tokens. */
export function alertsToColumns({ low, exhaustedBelow }: EffectiveAlerts, topUpBelow: bigint): AlertColumns {
  const thresholds = [...[...low, exhaustedBelow].map((amount) => amount.toUnits()), topUpBelow];
  return {
    low_alerts: unitsToJson(low), exhausted_below: exhaustedBelow.toUnits(),
    alert_below: thresholds.reduce((highest, units) => (units > highest ? units : highest)), top_up_below: topUpBelow,
  };
}

export function alertsFromRow({ low_alerts, exhausted_below }: Pick<AlertColumns, 'low_alerts' | 'exhausted_below'>): EffectiveAlerts {
  return { low: unitsFromJson(low_alerts), exhaustedBelow: ServiceTokens.fromUnits(exhausted_below) };
}

export function chosenToColumn(chosen: readonly ServiceTokens[] | null): string | null {
  return chosen === null ? null : unitsToJson(sortedThresholds(chosen));
}

export function chosenFromColumn(column: string | null): readonly ServiceTokens[] | null {
  return column === null ? null : unitsFromJson(column);
}

export function policyFromRow({ thresholds, minimum_reservation }: { readonly thresholds: string; readonly minimum_reservation: bigint }): AlertPolicy {
  const parsed = parseAlertThresholds(thresholds);
  invariant(parsed !== null, 'a stored policy has valid thresholds');
  return { thresholds: parsed, minimumReservation: ServiceTokens.fromUnits(minimum_reservation) };
}
