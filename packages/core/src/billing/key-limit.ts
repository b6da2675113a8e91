import { GatewayError } from '../errors/gateway-error.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ApiKeyId } from '../primitives/primitives.js';
import { type Instant, secondsUntil, startOfNextUtcDay, startOfNextUtcMonth, type UtcDay, utcDayOf, type UtcMonth, utcMonthOf } from '../primitives/time.js';

/** The maximum spending per UTC day or month. */
export interface SpendingLimit {
  readonly amount: ServiceTokens;
  readonly period: 'day' | 'month';
}

export interface KeyLimit extends SpendingLimit {
  /** The first key of the rotation chain, or the key itself. */
  readonly lineage: ApiKeyId;
}

/** A key's limit in one period. A request counts against the period of its reservation, even if it ends in a later one. */
export interface KeyBudget {
  readonly lineage: ApiKeyId;
  readonly period: UtcDay | UtcMonth;
  readonly limit: ServiceTokens;
}

/** In one period: charges of ended requests, and reservations of running ones. */
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

/** Zero if the limit was lowered below what is spent. */
export function leftOf({ limit }: KeyBudget, { spent, reserved }: KeySpending): ServiceTokens {
  const left = limit.minus(spent).minus(reserved);
  return left.isNegative() ? ServiceTokens.ZERO : left;
}

export interface KeyLimitExcess {
  readonly limit: SpendingLimit;
  readonly left: ServiceTokens;
  /** The minimum that the request needs. */
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
