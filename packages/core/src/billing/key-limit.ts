import { GatewayError } from '../errors/gateway-error.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ApiKeyId } from '../primitives/primitives.js';
import { type Instant, secondsUntil, startOfNextUtcDay, startOfNextUtcMonth, type UtcDay, utcDayOf, type UtcMonth, utcMonthOf } from '../primitives/time.js';

/** The most that a key may spend in each UTC day or month. */
export interface SpendingLimit {
  readonly amount: ServiceTokens;
  readonly period: 'day' | 'month';
}

/** A key's limit, and what its spending is counted under. */
export interface KeyLimit extends SpendingLimit {
  /** The first of the keys that were rotated into this one, or the key itself. */
  readonly lineage: ApiKeyId;
}

/** A key's limit in one period; what a request counts against from its reservation to its end, also when the period is over by then. */
export interface KeyBudget {
  readonly lineage: ApiKeyId;
  readonly period: UtcDay | UtcMonth;
  readonly limit: ServiceTokens;
}

/** Of one period: what ended requests were charged, and what running ones hold. */
export interface KeySpending {
  readonly spent: ServiceTokens;
  readonly reserved: ServiceTokens;
}

export const NO_SPENDING: KeySpending = { spent: ServiceTokens.ZERO, reserved: ServiceTokens.ZERO };

/** The budget of the period that an instant falls in. */
export function budgetAt({ lineage, amount, period }: KeyLimit, at: Instant): KeyBudget {
  return { lineage, period: period === 'day' ? utcDayOf(at) : utcMonthOf(at), limit: amount };
}

/** When the period that an instant falls in ends, and the limit is whole again. */
export function endOfPeriod({ period }: SpendingLimit, at: Instant): Instant {
  return period === 'day' ? startOfNextUtcDay(at) : startOfNextUtcMonth(at);
}

/** What is left of a budget. Nothing where the limit was lowered below what is spent. */
export function leftOf({ limit }: KeyBudget, { spent, reserved }: KeySpending): ServiceTokens {
  const left = limit.minus(spent).minus(reserved);
  return left.isNegative() ? ServiceTokens.ZERO : left;
}

export interface KeyLimitExcess {
  readonly limit: SpendingLimit;
  readonly left: ServiceTokens;
  /** The least that would do. */
  readonly needed: ServiceTokens;
  readonly now: Instant;
}

/** The error of a request that what is left of its key's limit cannot pay. */
export function keyLimitRefusal({ limit, left, needed, now }: KeyLimitExcess): GatewayError {
  const { amount, period } = limit;
  const message = `The spending limit of this API key leaves too little: ${left.toString()} of ${amount.toString()} service tokens a ${period} (UTC) are left, `
    + `and this request needs at least ${needed.toString()} set aside.`;
  const isPermanent = amount.isLessThan(needed);
  const text = isPermanent ? `${message} It is larger than the whole limit and can never fit.` : message;
  return new GatewayError('api_key_limit_exceeded', text, { retryAfterSeconds: secondsUntil(endOfPeriod(limit, now), now), isPermanent });
}
