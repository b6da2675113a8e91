import type { KeyLimit, SpendingLimit } from '../billing/key-limit.js';
import type { AccountId, ApiKeyId, KeyHash, ModelSlug } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';

/** A stored API key. The secret itself is nowhere: only its hash, and a hint to tell keys apart by. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly name: string | null;
  readonly hash: KeyHash;
  /** `sk-ab…wxyz`: enough to recognise a key, too little to use it. */
  readonly hint: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly blocked: boolean;
  /** The models it may use; `null`: all that its account may. */
  readonly models: ReadonlySet<ModelSlug> | null;
  /** `null`: none of its own. */
  readonly limit: SpendingLimit | null;
  /** The first of the keys that were rotated into this one, or the key itself: what it has spent is counted under it. */
  readonly lineage: ApiKeyId;
}

export type ApiKeyState = 'active' | 'expired' | 'revoked';

/** Revoked wins over expired; a key expires at its date, not after it. */
export function apiKeyState(key: ApiKey, now: Instant): ApiKeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

/** What bounds the spending of a key; `null`: only the balance. */
export function keyLimitOf({ limit, lineage }: ApiKey): KeyLimit | null {
  return limit === null ? null : { ...limit, lineage };
}
