import type { IssuerIdentity } from '../people/issuer/issuer-identity.js';
import type { Instant } from '../time/instant.js';

/** What binds a callback to the browser that began; each is 43 characters of base64url, and only `state` and `nonce` reach the issuer. */
export interface IssuerSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect issuer that the operator has chosen. Both throw `issuerRefusal` when it does not answer within seconds or answers nonsense. */
export interface SignInIssuer {
  /** Where the browser proves to the issuer who uses it. */
  authorizationUrl(secrets: IssuerSecrets, at: Instant): Promise<string>;
  /** Who the issuer says has come back, by the query of the callback; `null` when it does not belong to these secrets, was used before or tells of a refusal. */
  identify(query: string, secrets: IssuerSecrets, at: Instant): Promise<IssuerIdentity | null>;
}
