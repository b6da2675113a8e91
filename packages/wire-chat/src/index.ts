export * from './chat-format.js';
