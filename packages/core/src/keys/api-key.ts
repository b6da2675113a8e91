import type { AccountId, ApiKeyId, KeyHash, ModelSlug } from '../ids.js';
import type { Instant } from '../time.js';
import type { KeyLimit, SpendingLimit } from './spending-limit.js';

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

export const API_KEY_PREFIX = 'sk-';
/** Random characters after the prefix. */
export const API_KEY_RANDOM_LENGTH = 48;
export const API_KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_PATTERN = /^sk-[A-Za-z0-9]{48}$/;
const REDACTED = 'sk-[redacted]';

/** The full key as its owner holds it. Refuses to print itself: `toString` and `toJSON` give `sk-[redacted]`. */
export class ApiKeySecret {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** `null` when the text does not have the form of a key. */
  static parse(text: string): ApiKeySecret | null {
    return SECRET_PATTERN.test(text) ? new ApiKeySecret(text) : null;
  }

  /** The key in clear: for hashing, and for showing once at creation. */
  reveal(): string {
    return this.#text;
  }

  /** First five and last four characters, for telling keys apart in a list. */
  hint(): string {
    return `${this.#text.slice(0, API_KEY_PREFIX.length + 2)}…${this.#text.slice(-4)}`;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }
}
