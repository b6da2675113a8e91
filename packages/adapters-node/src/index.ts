export { RandomIds, SystemClock } from './system.js';
export { AesSealer, type DerivedKeys, factorCodes, HmacAddressHashes, HmacChallenges, HmacDeviceSigner, InstallationSecret, type KeyPurpose, RandomRecoveryCodes, RandomSecretTokens, Sha256Hasher } from './installation-secret.js';
export { AesReasoningSeal } from './reasoning-seal.js';
export * from './outbox-ledger.js';
export * from './outbox-report.js';
export { OutboxIdempotency, type OutboxIdempotencyPorts } from './outbox-idempotency.js';
export * from './seen-entries-file.js';
export { Argon2Hasher, type Argon2Parameters, DEFAULT_PARAMETERS as ARGON2_DEFAULTS } from './argon2-hasher.js';
export { CommonPasswordList } from './common-password-list.js';
