export * from './random-ids.js';
export * from './sha256-hasher.js';
export * from './system-clock.js';
export * from './outbox/outbox-ledger.js';
export * from './outbox/outbox-report.js';
export * from './secret/installation-secret.js';
