import type { BookedAct } from '../billing/booked.js';
import type { KeyBudget } from '../billing/key-limit.js';
import type { CreditLeft } from '../credits/credits-left.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, RequestId } from '../primitives/ids.js';
import { type Instant, rfc3339 } from '../primitives/time.js';
import type { NewEvent } from './account-event.js';
import type { EffectiveAlerts } from './low-balance-alerts.js';

export interface AmountChange {
  readonly before: ServiceTokens;
  readonly after: ServiceTokens;
}

/** The booking that causes events; all events of one booking have the same source. */
export interface BookingSource {
  readonly accountId: AccountId;
  readonly requestId: RequestId | null;
  readonly at: Instant;
}

function crosses({ before, after }: AmountChange, threshold: ServiceTokens): boolean {
  return !before.isLessThan(threshold) && after.isLessThan(threshold);
}

/**
 * The thresholds that a posted balance crosses downwards: it was at or above them, and now is below. A balance that stays below a threshold does not
 * cross it again, so each crossing is reported once. The SQL functions implement the same rule.
 */
export function crossingsOf(change: AmountChange, thresholds: readonly ServiceTokens[]): readonly ServiceTokens[] {
  return thresholds.filter((threshold) => crosses(change, threshold));
}

/**
 * `before` and `after` are posted balances. One event per crossed low-balance threshold, highest first; then `balance.exhausted`, if the balance is
 * now exhausted.
 */
export function crossingEvents({ accountId, requestId, at }: BookingSource, change: AmountChange, { low, exhaustedBelow }: EffectiveAlerts): readonly NewEvent[] {
  const eventOf = (type: 'balance.low' | 'balance.exhausted') => (threshold: ServiceTokens): NewEvent => ({
    type, accountId, at, data: { threshold: threshold.toString(), balance: change.after.toString(), request_id: requestId },
  });
  return [...crossingsOf(change, low).map(eventOf('balance.low')), ...crossingsOf(change, [exhaustedBelow]).map(eventOf('balance.exhausted'))];
}

/** A charge that counts against a key's spending limit. */
export interface KeySpent extends BookingSource {
  readonly keyId: ApiKeyId | null;
  readonly budget: KeyBudget;
  /** Charges of the period, without reservations. */
  readonly spent: AmountChange;
  readonly exhaustedBelow: ServiceTokens;
}

/**
 * The event of a key whose remaining limit falls below the smallest reservation, so that the key can pay for no further request; otherwise `null`. A
 * key rarely spends its limit exactly.
 */
export function keyLimitEvent({ accountId, requestId, at, keyId, budget: { period, limit }, spent, exhaustedBelow }: KeySpent): NewEvent | null {
  const left = { before: limit.minus(spent.before), after: limit.minus(spent.after) };
  if (!crosses(left, exhaustedBelow)) return null;
  return { type: 'key.limit_reached', accountId, at, data: { key_id: keyId, period, limit: limit.toString(), spent: spent.after.toString(), request_id: requestId } };
}

export function bookedEvent({ accountId, kind, amount, balance, reference, requestId, at }: BookedAct): NewEvent {
  return {
    type: 'balance.booked', accountId, at, data: { kind, amount: amount.toString(), balance: balance.posted.toString(), reference, request_id: requestId },
  };
}

/** A credit that is not used up and expires within `days` days. */
export interface ExpiringCredit {
  readonly accountId: AccountId;
  readonly credit: CreditLeft;
  readonly days: number;
  readonly at: Instant;
}

export function creditExpiringEvent({ accountId, credit: { entry, left, expiresAt }, days, at }: ExpiringCredit): NewEvent {
  return {
    type: 'credit.expiring', accountId, at,
    data: { ledger_entry: String(entry), svc_tokens: left.toString(), expires_at: expiresAt === null ? null : rfc3339(expiresAt), days },
  };
}
