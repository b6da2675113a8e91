import type { IssuerSubject } from '../people/issuer-subject.js';

/** What the issuer's ID token says. */
export interface IssuerIdentity extends IssuerSubject {
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** What the claim `email_verified` is, in words for the log. */
  readonly emailVerifiedClaim: string;
  readonly name: string | null;
}

/** Why a callback identifies no one, for the log; without any text that a browser or an account chose. */
export interface IssuerRefusal {
  readonly refused: string;
}
