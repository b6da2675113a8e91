import { GatewayError } from '../errors/gateway-error.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { type Instant, secondsUntil } from '../time/instant.js';
import { endOfPeriod, type SpendingLimit } from './spending-limit.js';

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
