// The limits of one process alone, for programs that keep everything else elsewhere: the whole index would load every adapter here.
export type { TokensUsedSource } from './account-use.js';
export { MemoryCounter, MAX_NAMES } from './memory-counter.js';
export { MemoryRateLimiter, type MemoryRateLimiterPorts } from './memory-rate-limiter.js';
