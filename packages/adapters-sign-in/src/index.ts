export * from './authenticator-codes.js';
export { type RelyingParty, relyingPartyOf, type RelyingPartyOutcome, WebAuthnCeremonies } from './web-authn-ceremonies.js';
export * from './open-id-issuer.js';
