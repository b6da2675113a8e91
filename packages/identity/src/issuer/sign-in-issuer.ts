import type { Instant } from '@tollgate/core';
import type { IssuerIdentity, IssuerRefusal } from './issuer-identity.js';

/** 43 characters of base64url each. Only `state` and `nonce` reach the issuer. */
export interface IssuerSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Both methods throw `IssuerFailure` if the issuer does not answer within seconds or answers incorrectly. */
export interface SignInIssuer {
  /** The issuer's page to which the browser is redirected. */
  authorizationUrl(secrets: IssuerSecrets, at: Instant): Promise<string>;
  /**
   * Verifies the callback and returns the ID token's identity; a refusal if the callback does not match the secrets, was used
   * before, or reports an error.
   */
  identify(query: string, secrets: IssuerSecrets, at: Instant): Promise<IssuerIdentity | IssuerRefusal>;
}
