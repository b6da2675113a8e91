import type { Instant, PersonId } from '@tollgate/core';
import type { AnsweredChallenge } from '../challenges/signed-challenges.js';
import type { IssuerSubject } from '../people/issuer-subject.js';
import type { AddressVerified } from '../people/person-records.js';
import type { Person } from '../people/person.js';
import type { SignUpPolicy } from '../people/sign-up-policy.js';

export interface IssuerAdmission {
  readonly subject: IssuerSubject;
  /** Person to create with the verified address; `null` if the issuer vouches for none. */
  readonly newcomer: ({ readonly person: Person } & AddressVerified) | null;
  readonly signUp: SignUpPolicy;
  readonly challenge: AnsweredChallenge;
  /** Address of the client, for the audit log. */
  readonly address?: string | undefined;
  readonly at: Instant;
}

/** `refused`: the challenge was used before, or the account's standing does not let its owner sign in. */
export type IssuerAdmissionOutcome =
  | { readonly outcome: 'admitted'; readonly personId: PersonId }
  | { readonly outcome: 'closed' | 'account-not-linked' | 'email-not-verified' | 'refused' };

/** Throws if the store is unavailable. */
export interface IssuerRecords {
  /**
   * Consumes the challenge and finds the subject's person; for an unlinked subject see `decideIssuerAdmission`. Audits links, new people
   * and new accounts in the same transaction. Of concurrent first sign-ins of a subject, one links it and all are admitted.
   */
  admit(admission: IssuerAdmission): Promise<IssuerAdmissionOutcome>;
}
