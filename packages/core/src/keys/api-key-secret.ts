import type { KeyHash } from '../primitives/primitives.js';

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

/** Fresh secrets of API keys; no two are ever the same. */
export interface ApiKeySecretGenerator {
  /** 48 characters from a cryptographic source, each of the 62 equally likely. */
  apiKeySecret(): ApiKeySecret;
}

export interface SecretHasher {
  hash(secret: ApiKeySecret): KeyHash;
}
