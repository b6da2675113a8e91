// The limits of one process alone, for programs that keep everything else elsewhere: the whole index would load every adapter here.
export { type TokensUsedSource } from './limits/calendar-use.js';
export * from './limits/memory-counter.js';
export * from './limits/memory-rate-limiter.js';
