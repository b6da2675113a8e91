import { type ApiKey, apiKeyState, type Instant, rfc3339 } from '@tollgate/core';
import { timeOrNull } from '@tollgate/wire-kit';

/** A key as a listing shows it: enough to recognise it, nothing to use it with. */
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
