import type { KeyHash } from '../primitives/hashes.js';

export const API_KEY_PREFIX = 'sk-';
/** Random characters after the prefix. */
export const API_KEY_RANDOM_LENGTH = 48;
export const API_KEY_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_PATTERN = /^sk-[A-Za-z0-9]{48}$/;
const REDACTED = 'sk-[redacted]';

/** `toString` and `toJSON` return `sk-[redacted]`, against accidental logging. */
export class ApiKeySecret {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** `null` for a text of another form. */
  static parse(text: string): ApiKeySecret | null {
    return SECRET_PATTERN.test(text) ? new ApiKeySecret(text) : null;
  }

  /** Plaintext, which is only hashed and shown once. */
  reveal(): string {
    return this.#text;
  }

  /** First five and last four characters. */
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

/** Every secret is unique. */
export interface ApiKeySecretGenerator {
  /** 48 characters from a cryptographic source, uniform over 62 characters. */
  apiKeySecret(): ApiKeySecret;
}

export interface SecretHasher {
  hash(secret: ApiKeySecret): KeyHash;
}
