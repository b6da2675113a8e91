import type { IssuerSubject } from '../people/issuer-subject.js';

/** The claims of the ID token. */
export interface IssuerIdentity extends IssuerSubject {
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** A description of the `email_verified` claim for the log. */
  readonly emailVerifiedClaim: string;
  readonly name: string | null;
}

/** Why a callback identifies no one, for the log; contains no text chosen by the browser or the user. */
export interface IssuerRefusal {
  readonly refused: string;
}
