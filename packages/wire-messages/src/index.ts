export * from './messages-format.js';
