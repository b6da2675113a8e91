import type { Brand } from './brand.js';

/** SHA-256 of an API key, 64 lower-case hex digits. */
export type KeyHash = Brand<string, 'KeyHash'>;
/** SHA-256 of a single-use secret, 64 lower-case hex digits. */
export type TokenHash = Brand<string, 'TokenHash'>;
/** HMAC of a recovery code, 64 lower-case hex digits. */
export type CodeHash = Brand<string, 'CodeHash'>;
