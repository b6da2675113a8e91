export * from './ids/sequential-ids.js';
export { type TokensUsedSource } from './limits/calendar-use.js';
export * from './limits/memory-rate-limiter.js';
export * from './time/manual-clock.js';
