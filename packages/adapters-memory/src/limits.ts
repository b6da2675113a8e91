// A separate entry for programs that need only the in-process limits: the index would load every adapter.
export type { TokensUsedSource } from './account-use.js';
export { MemoryCounter, MAX_NAMES } from './memory-counter.js';
export { MemoryRateLimiter, type MemoryRateLimiterPorts } from './memory-rate-limiter.js';
