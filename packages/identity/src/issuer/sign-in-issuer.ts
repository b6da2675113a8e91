import type { Instant } from '@tollgate/core';
import type { IssuerIdentity, IssuerRefusal } from './issuer-identity.js';

/** What binds a callback to the browser that began; each is 43 characters of base64url, and only `state` and `nonce` reach the issuer. */
export interface IssuerSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The OpenID Connect issuer that the operator has chosen. Both throw `IssuerFailure` when it does not answer within seconds or answers nonsense. */
export interface SignInIssuer {
  /** Where the browser proves to the issuer who uses it. */
  authorizationUrl(secrets: IssuerSecrets, at: Instant): Promise<string>;
  /** Who the issuer says has come back, by the query of the callback; a refusal if it does not belong to these secrets, was used before or tells of one. */
  identify(query: string, secrets: IssuerSecrets, at: Instant): Promise<IssuerIdentity | IssuerRefusal>;
}
