import type { KeyLimit, SpendingLimit } from '../billing/key-limit.js';
import type { AccountId, ApiKeyId, ModelSlug } from '../primitives/ids.js';
import type { KeyHash } from '../primitives/hashes.js';
import type { Instant } from '../primitives/time.js';

/** The secret is stored as a hash only. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly name: string | null;
  readonly hash: KeyHash;
  /** `sk-ab…wxyz`. */
  readonly hint: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  readonly lastUsedAt: Instant | null;
  readonly blocked: boolean;
  /** `null` allows all models of the account. */
  readonly models: ReadonlySet<ModelSlug> | null;
  /** `null` for none. */
  readonly limit: SpendingLimit | null;
  /** First key of the rotation chain, or the key itself; spending is counted under it. */
  readonly lineage: ApiKeyId;
}

export type ApiKeyState = 'active' | 'expired' | 'revoked';

/** `revoked` takes precedence over `expired`. A key is expired from `expiresAt` on. */
export function apiKeyState(key: ApiKey, now: Instant): ApiKeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

/** `null` if only the balance bounds spending. */
export function keyLimitOf({ limit, lineage }: ApiKey): KeyLimit | null {
  return limit === null ? null : { ...limit, lineage };
}
