export * from './relying-party.js';
export * from './web-authn-ceremonies.js';
