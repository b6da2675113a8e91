import { type ApiKey, type Instant, type IssuedKey, type JsonObject, type KeySpending, NO_SPENDING, type SpendingLimit, apiKeyState, endOfPeriod, rfc3339 } from '@tollgate/core';
import { timeOrNull } from '@tollgate/wire-kit';

/** A key, and what counts against its limit in the current period; `null`: it has none. */
export interface KeyView {
  readonly key: ApiKey;
  readonly spending: KeySpending | null;
}

export function encodeKey({ key, spending }: KeyView, now: Instant): JsonObject {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    hint: key.hint,
    status: apiKeyState(key, now),
    blocked: key.blocked,
    models: key.models === null ? null : [...key.models],
    limit: key.limit === null ? null : encodeLimit(key.limit, spending ?? NO_SPENDING, now),
    created_at: rfc3339(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    revoked_at: timeOrNull(key.revokedAt),
    last_used_at: timeOrNull(key.lastUsedAt),
  };
}

/** Of the period that it is in; service tokens. */
function encodeLimit(limit: SpendingLimit, { spent, reserved }: KeySpending, now: Instant): JsonObject {
  return {
    per: limit.period, amount: limit.amount.toString(), spent: spent.toString(), reserved: reserved.toString(),
    resets_at: rfc3339(endOfPeriod(limit, now)),
  };
}

/** A new key with its secret: the one time it is shown. */
export function encodeIssuedKey({ key, secret }: IssuedKey, spending: KeySpending | null = null): JsonObject {
  return { ...encodeKey({ key, spending }, key.createdAt), secret: secret.reveal() };
}

/** The same for people. */
export function issuedKeyLines({ key, secret }: IssuedKey): readonly string[] {
  return [`Key ${key.id} is made. It is shown this once and cannot be recovered:`, secret.reveal()];
}
