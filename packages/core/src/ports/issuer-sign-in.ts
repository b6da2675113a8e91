import type { IssuerIdentity, IssuerSubject } from '../people/issuer-sign-in.js';
import type { Instant } from '../time/instant.js';
import type { PersonId } from '../ids.js';
import type { Person } from '../people/person.js';
import type { SignUpPolicy } from '../people/sign-up-policy.js';
import type { AddressVerified } from './person-records.js';
import type { AnsweredChallenge } from './passkeys.js';

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
