import type { Instant } from '@tollgate/core';
import type { IssuerIdentity, IssuerRefusal } from './issuer-identity.js';

/** Secrets of one sign-in, 43 characters of Base64url each. The issuer sees only `state` and `nonce`. */
export interface IssuerSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Both methods throw `IssuerFailure` if the issuer does not answer within seconds or answers incorrectly. */
export interface SignInIssuer {
  /** The URL that the browser is redirected to. */
  authorizationUrl(secrets: IssuerSecrets, at: Instant): Promise<string>;
  /** Returns the ID token's identity; a refusal if the callback does not match the secrets, was used before, or reports an error. */
  identify(query: string, secrets: IssuerSecrets, at: Instant): Promise<IssuerIdentity | IssuerRefusal>;
}
