export * from './a-completed-generation.js';
export * from './arbitrary-reply.js';
export * from './refusal-of.js';
export * from './with-value-at.js';
