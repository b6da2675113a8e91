export * from './a-completed-generation.js';
export * from './arbitrary-reply.js';
export * from './full-chat-request.js';
export * from './full-messages-request.js';
export * from './refusal-of.js';
export * from './with-value-at.js';
export * from './text-of-pieces.js';
