import type { IssuerSubject } from '../people/issuer-subject.js';

/** Claims of the ID token. */
export interface IssuerIdentity extends IssuerSubject {
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** Describes the claim for the log. */
  readonly emailVerifiedClaim: string;
  readonly name: string | null;
}

/** For the log: why no one was identified; without text chosen by browser or user. */
export interface IssuerRefusal {
  readonly refused: string;
}
