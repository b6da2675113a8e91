export * from './route-contract.js';
export * as values from './values.js';
export { contract } from './contract.js';
export * from './openapi.js';
export { liveAlert, liveEvents, liveSecond, liveTick } from './routes/operation-routes.js';
