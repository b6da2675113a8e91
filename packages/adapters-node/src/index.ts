export { RandomIds } from './random-ids.js';
export { HmacAddressHashes, HmacChallenges, RandomSecretTokens, Sha256Hasher } from './secret-hashes.js';
export * from './system-clock.js';
export * from './outbox-ledger.js';
export { AesSealer, factorCodes, RandomRecoveryCodes } from './factor-codes.js';
export * from './installation-secret.js';
export { Argon2Hasher, type Argon2Parameters, DEFAULT_PARAMETERS as ARGON2_DEFAULTS } from './argon2-hasher.js';
