import type { Instant, PersonId } from '@tollgate/core';
import type { AnsweredChallenge } from '../challenges/signed-challenges.js';
import type { IssuerSubject } from '../people/issuer-subject.js';
import type { AddressVerified } from '../people/person-records.js';
import type { Person } from '../people/person.js';
import type { SignUpPolicy } from '../people/sign-up-policy.js';

export interface IssuerAdmission {
  readonly subject: IssuerSubject;
  /** The person that a verified address of the issuer would make; `null` where the issuer vouches for none. */
  readonly newcomer: ({ readonly person: Person } & AddressVerified) | null;
  readonly signUp: SignUpPolicy;
  readonly challenge: AnsweredChallenge;
  /** The client's, for the audit trail. */
  readonly address?: string | undefined;
  readonly at: Instant;
}

/** `refused`: the challenge was used before, or the account of that address is closed to its owner. */
export type IssuerAdmissionOutcome =
  | { readonly outcome: 'admitted'; readonly personId: PersonId }
  | { readonly outcome: 'closed' | 'account-not-linked' | 'email-not-verified' | 'refused' };

/** Who signs in by an issuer, as a store keeps it. Throws when the store is away. */
export interface IssuerRecords {
  /**
   * Takes the challenge, and finds the person of a subject. One that no person is linked to is linked as `decideIssuerAdmission` says; that, a new person and
   * a new account enter the audit trail in the same transaction. Of simultaneous first sign-ins of one subject exactly one links it, and all are admitted.
   */
  admit(admission: IssuerAdmission): Promise<IssuerAdmissionOutcome>;
}
