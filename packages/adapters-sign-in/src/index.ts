export * from './authenticator-codes.js';
export * from './web-authn-ceremonies.js';
export * from './open-id-issuer.js';
