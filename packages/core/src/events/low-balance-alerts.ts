import { ServiceTokens } from '../money/service-tokens.js';

/** Maximum thresholds of an account, and of the operator's policy. */
export const MAX_ALERT_THRESHOLDS = 3;

/** A fixed amount, or a share of the last credit in whole percent. */
export type AlertThreshold = { readonly amount: ServiceTokens } | { readonly percent: number };

/** Alert thresholds of the installation. */
export interface AlertPolicy {
  /** For accounts without thresholds of their own; at most `MAX_ALERT_THRESHOLDS`. */
  readonly thresholds: readonly AlertThreshold[];
  /** The catalogue's `minimumReservation`; a lower balance cannot pay for a request. */
  readonly minimumReservation: ServiceTokens;
}

/** Thresholds that apply to one account's balance. */
export interface EffectiveAlerts {
  /** Highest first, each greater than zero, no two equal. */
  readonly low: readonly ServiceTokens[];
  readonly exhaustedBelow: ServiceTokens;
}

const PERCENT = /^(100|[1-9]\d?)%$/;
const SMALLEST = ServiceTokens.fromUnits(1n);

/** Parses `20%,5%` or `100,12.5`; the empty text has no thresholds. `null` for a malformed text, or one with more than `MAX_ALERT_THRESHOLDS`. */
export function parseAlertThresholds(text: string): readonly AlertThreshold[] | null {
  const parts = text.split(',').map((part) => part.trim()).filter((part) => part !== '');
  if (parts.length > MAX_ALERT_THRESHOLDS) return null;
  const thresholds = parts.map(parseThreshold);
  return thresholds.includes(null) ? null : thresholds.filter((threshold) => threshold !== null);
}

function parseThreshold(text: string): AlertThreshold | null {
  const [, percent] = PERCENT.exec(text) ?? [];
  if (percent !== undefined) return { percent: Number(percent) };
  try {
    const amount = ServiceTokens.parse(text);
    return amount.isZero() ? null : { amount };
  } catch {
    return null;
  }
}

/** The inverse of `parseAlertThresholds`. */
export function formatAlertThresholds(thresholds: readonly AlertThreshold[]): string {
  return thresholds.map((threshold) => ('percent' in threshold ? `${threshold.percent}%` : threshold.amount.toString())).join(',');
}

/** Highest first, without zero and repetitions. */
export function sortedThresholds(amounts: readonly ServiceTokens[]): readonly ServiceTokens[] {
  const distinct = new Set(amounts.map((amount) => amount.toUnits()).filter((units) => units > 0n));
  return [...distinct].toSorted((one, other) => (one < other ? 1 : -1)).map((units) => ServiceTokens.fromUnits(units));
}

/**
 * `chosen`: the account's own thresholds; `null` if the policy's apply. `lastCredit`: zero before the first credit. Shares are rounded down to
 * 0.000001.
 */
export function effectiveAlerts(
  { thresholds, minimumReservation }: AlertPolicy, { chosen, lastCredit }: { readonly chosen: readonly ServiceTokens[] | null; readonly lastCredit: ServiceTokens },
): EffectiveAlerts {
  const amounts = chosen ?? thresholds.map((threshold) => ('amount' in threshold
    ? threshold.amount
    : ServiceTokens.fromUnits(lastCredit.toUnits() * BigInt(threshold.percent) / 100n)));
  return {
    low: sortedThresholds(amounts),
    exhaustedBelow: minimumReservation.isLessThan(SMALLEST) ? SMALLEST : minimumReservation,
  };
}
