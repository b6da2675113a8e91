import type { PersonRecord } from '../../ports/person-records.js';
import { MILLISECONDS_PER_MINUTE } from '../../time/instant.js';
import { maySignIn, type Person } from '../person.js';
import { admitsPerson, permitsRegistration, type SignUpPolicy } from '../sign-up-policy.js';

/** Someone as one OpenID Connect issuer knows them; the issuer never gives the subject to another person. */
export interface IssuerSubject {
  readonly issuer: string;
  readonly subject: string;
}

/** What the issuer's ID token says. */
export interface IssuerIdentity extends IssuerSubject {
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
}

/** Between the start of a sign-in and the callback. */
export const ISSUER_SIGN_IN_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;

/** The person who has the address that an issuer vouches for. */
export interface AddressHolder {
  readonly record: Pick<PersonRecord, 'person' | 'passwordHash' | 'account'>;
  /** Whether another subject of the same issuer signs in as this person. */
  readonly hasOtherSubject: boolean;
}

/**
 * What becomes of a subject that no person is linked to. `take-over`: the address was signed up with and never verified; the issuer verifies it now, and
 * password, sessions, factors and links from before go, as at a reset by mail.
 */
export type IssuerAdmissionStep =
  | { readonly step: 'register' }
  | { readonly step: 'link' | 'take-over'; readonly person: Person }
  | { readonly step: 'closed' | 'account-not-linked' | 'refused' };

/** `null`: no one has the address yet. */
export function decideIssuerAdmission(holder: AddressHolder | null, signUp: SignUpPolicy): IssuerAdmissionStep {
  if (holder === null) return { step: permitsRegistration(signUp, 'sign-up') ? 'register' : 'closed' };
  const { record, hasOtherSubject } = holder;
  const { person, account } = record;
  // An address that the issuer has given to someone else opens nothing of its former owner's.
  if (hasOtherSubject) return { step: 'account-not-linked' };
  if (person.emailVerified) return maySignIn(person, account) ? { step: 'link', person } : { step: 'refused' };
  return admitsPerson(signUp, record) ? { step: 'take-over', person } : { step: 'closed' };
}
