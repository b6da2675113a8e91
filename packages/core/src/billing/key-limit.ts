import { GatewayError } from '../errors/gateway-error.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ApiKeyId } from '../primitives/ids.js';
import { type Instant, secondsUntil, startOfNextUtcDay, startOfNextUtcMonth, type UtcDay, utcDayOf, type UtcMonth, utcMonthOf } from '../primitives/time.js';

/** Maximum spending in each UTC day or month. */
export interface SpendingLimit {
  readonly amount: ServiceTokens;
  readonly period: 'day' | 'month';
}

export interface KeyLimit extends SpendingLimit {
  /** First key of the rotation chain, or the key itself. */
  readonly lineage: ApiKeyId;
}

/** A request counts against the period of its reservation, even if it ends in a later period. */
export interface KeyBudget {
  readonly lineage: ApiKeyId;
  readonly period: UtcDay | UtcMonth;
  readonly limit: ServiceTokens;
}

/** Charges of ended requests and reservations of running requests, in one period. */
export interface KeySpending {
  readonly spent: ServiceTokens;
  readonly reserved: ServiceTokens;
}

export const NO_SPENDING: KeySpending = { spent: ServiceTokens.ZERO, reserved: ServiceTokens.ZERO };

export function budgetAt({ lineage, amount, period }: KeyLimit, at: Instant): KeyBudget {
  return { lineage, period: period === 'day' ? utcDayOf(at) : utcMonthOf(at), limit: amount };
}

export function endOfPeriod({ period }: SpendingLimit, at: Instant): Instant {
  return period === 'day' ? startOfNextUtcDay(at) : startOfNextUtcMonth(at);
}

/** Zero if the limit was lowered below the spending. */
export function leftOf({ limit }: KeyBudget, { spent, reserved }: KeySpending): ServiceTokens {
  const left = limit.minus(spent).minus(reserved);
  return left.isNegative() ? ServiceTokens.ZERO : left;
}

export interface KeyLimitExcess {
  readonly limit: SpendingLimit;
  readonly left: ServiceTokens;
  /** Smallest amount that the request may reserve. */
  readonly needed: ServiceTokens;
  readonly now: Instant;
}

export function keyLimitRefusal({ limit, left, needed, now }: KeyLimitExcess): GatewayError {
  const { amount, period } = limit;
  const message = `The spending limit of this API key leaves too little: ${left.toString()} of ${amount.toString()} service tokens a ${period} (UTC) are left, `
    + `and this request needs at least ${needed.toString()} set aside.`;
  const isPermanent = amount.isLessThan(needed);
  const text = isPermanent ? `${message} It is larger than the whole limit and can never fit.` : message;
  return new GatewayError('api_key_limit_exceeded', text, { retryAfterSeconds: secondsUntil(endOfPeriod(limit, now), now), isPermanent });
}
