export * from './a-generation-request.js';
export * from './a-model.js';
export * from './an-account.js';
export * from './an-ending.js';
export * from './request-facts.js';
export * from './maintenance.js';
