export * from './grammar-breach.js';
export * from './chat-stream-grammar.js';
export * from './messages-stream-grammar.js';
export * from './event-grammar.js';
