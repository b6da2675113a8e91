export * from './history-extent.js';
export * from './ledger-history-contract.js';
export * from './limiter-history-contract.js';
export type { MortalStore } from './ledger-history.js';
