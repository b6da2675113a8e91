// A separate entry point for programs that need only the in-process limits, because the index loads every adapter.
export type { TokensUsedSource } from './account-use.js';
export { MemoryCounter, MAX_NAMES } from './memory-counter.js';
export { MemoryRateLimiter, type MemoryRateLimiterPorts } from './memory-rate-limiter.js';
