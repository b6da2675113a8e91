export * from './format-languages.js';
export * from './marked-conversation.js';
