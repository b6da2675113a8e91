export * from './ids/sequential-ids.js';
export * from './time/manual-clock.js';
