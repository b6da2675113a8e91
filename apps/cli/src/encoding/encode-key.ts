import { type ApiKey, type Instant, type IssuedKey, type JsonObject, apiKeyState, rfc3339 } from '@tollgate/core';
import { timeOrNull } from '@tollgate/wire-kit';

export function encodeKey(key: ApiKey, now: Instant): JsonObject {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    hint: key.hint,
    status: apiKeyState(key, now),
    blocked: key.blocked,
    models: key.models === null ? null : [...key.models],
    created_at: rfc3339(key.createdAt),
    expires_at: timeOrNull(key.expiresAt),
    revoked_at: timeOrNull(key.revokedAt),
    last_used_at: timeOrNull(key.lastUsedAt),
  };
}

/** A new key with its secret: the one time it is shown. */
export function encodeIssuedKey({ key, secret }: IssuedKey): JsonObject {
  return { ...encodeKey(key, key.createdAt), secret: secret.reveal() };
}

/** The same for people. */
export function issuedKeyLines({ key, secret }: IssuedKey): readonly string[] {
  return [`Key ${key.id} is made. It is shown this once and cannot be recovered:`, secret.reveal()];
}
