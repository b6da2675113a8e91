import type { IssuerSubject } from '../people/issuer-subject.js';

/** Claims of the ID token. */
export interface IssuerIdentity extends IssuerSubject {
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** Describes the claim for the log. */
  readonly emailVerifiedClaim: string;
  readonly name: string | null;
}

/** Why no one was identified, for the log; without text chosen by the browser or the user. */
export interface IssuerRefusal {
  readonly refused: string;
}
