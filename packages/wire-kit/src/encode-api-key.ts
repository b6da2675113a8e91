import {
  type ApiKey, apiKeyState, type Catalogue, endOfPeriod, type Instant, type KeySpending, rfc3339, type SpendingLimit,
} from '@tollgate/core';
import { encodeAmount } from './encode-amount.js';
import { timeOrNull } from './encode-time.js';

/** The key as any key of its account sees it, without the secret. */
export function encodeApiKey(key: ApiKey, now: Instant) {
  return {
    id: key.id,
    object: 'api_key' as const,
    name: key.name,
    hint: key.hint,
    status: apiKeyState(key, now),
    created_at: rfc3339(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    last_used_at: timeOrNull(key.lastUsedAt),
    revoked_at: timeOrNull(key.revokedAt),
  };
}

/** The values that a key's limits are compared with. */
export interface KeyStanding {
  readonly now: Instant;
  /** Spending of the current period; `null` without a limit. */
  readonly spending: KeySpending | null;
  readonly catalogue: Pick<Catalogue, 'minimumReservation' | 'usdPerServiceToken'>;
}

/** True if the limit leaves less than the smallest request reserves. */
function isReached(limit: SpendingLimit, { spent, reserved }: KeySpending, { minimumReservation }: KeyStanding['catalogue']): boolean {
  return limit.amount.minus(spent).minus(reserved).isLessThan(minimumReservation);
}

function encodeSpendingLimit({ amount, period }: SpendingLimit) {
  return { svc_tokens: amount.toString(), period };
}

/** The key as owners and operators see it: with block, models and spending limit. */
export function encodeBoundedApiKey(key: ApiKey, { now, spending, catalogue }: KeyStanding) {
  const { limit } = key;
  const { usdPerServiceToken } = catalogue;
  return {
    ...encodeApiKey(key, now),
    blocked: key.blocked,
    models: key.models === null ? null : [...key.models],
    spending_limit: limit === null ? null : encodeSpendingLimit(limit),
    spent: spending === null ? null : encodeAmount(spending.spent, usdPerServiceToken),
    reserved: spending === null ? null : encodeAmount(spending.reserved, usdPerServiceToken),
    limit_reached: limit !== null && spending !== null && isReached(limit, spending, catalogue),
    spending_resets_at: limit === null ? null : rfc3339(endOfPeriod(limit, now)),
  };
}
