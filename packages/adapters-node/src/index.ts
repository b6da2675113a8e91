export * from './random-ids.js';
export * from './sha256-hasher.js';
export * from './system-clock.js';
export * from './outbox/outbox-ledger.js';
export * from './outbox/outbox-report.js';
export * from './secret/installation-secret.js';
export { Argon2Hasher, DEFAULT_PARAMETERS as ARGON2_DEFAULTS } from './passwords/argon2-hasher.js';
export type { Argon2Parameters } from './passwords/phc-string.js';
export { RandomSecretTokens } from './random-secret-tokens.js';
