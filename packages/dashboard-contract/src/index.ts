export * from './route-contract.js';
export * as values from './values.js';
export * from './contract.js';
export * from './openapi.js';
export * from './live-events.js';
