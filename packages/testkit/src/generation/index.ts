export * from './one-token-per-character.js';
export * from './provider-script.js';
export * from './scripted-provider.js';
