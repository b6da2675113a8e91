import { type Instant, isDisplayName, isMailAddress } from '@tollgate/core';
import type { AnsweredChallenge } from '../challenges/signed-challenges.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { mailboxOf, type PersonDrafts } from '../people/person-drafts.js';
import type { PersonRecord, PersonRecords } from '../people/person-records.js';
import { maySignIn, type Person } from '../people/person.js';
import { admitsPerson, permitsRegistration, type SignUpPolicy } from '../people/sign-up-policy.js';
import type { SessionStart } from '../sessions/session-start.js';
import type { SignInOutcome } from '../sessions/proof-outcomes.js';
import type { IssuerIdentity } from './issuer-identity.js';
import type { IssuerAdmission, IssuerRecords } from './issuer-records.js';
import { REFUSED_SIGN_IN } from './issuer-sign-in.js';

/** The person with the address that the issuer vouches for. */
export interface AddressHolder {
  readonly record: Pick<PersonRecord, 'person' | 'passwordHash' | 'account'>;
  /** True if the person is linked to another subject of the issuer. */
  readonly hasOtherSubject: boolean;
}

/**
 * What happens to an unlinked subject. `take-over`: someone signed up with the address and never verified it. The issuer verifies it now; password,
 * sessions, factors and links are removed, as in a reset by mail.
 */
export type IssuerAdmissionStep =
  | { readonly step: 'register' }
  | { readonly step: 'link' | 'take-over'; readonly person: Person }
  | { readonly step: 'closed' | 'account-not-linked' | 'refused' };

/** `holder` is `null` if no person has the address. */
export function decideIssuerAdmission(holder: AddressHolder | null, signUp: SignUpPolicy): IssuerAdmissionStep {
  if (holder === null) return { step: permitsRegistration(signUp, 'sign-up') ? 'register' : 'closed' };
  const { record, hasOtherSubject } = holder;
  const { person, account } = record;
  // The issuer may have given the address to another person, who must not get the account of the former holder.
  if (hasOtherSubject) return { step: 'account-not-linked' };
  if (person.emailVerified) return maySignIn(person, account) ? { step: 'link', person } : { step: 'refused' };
  return admitsPerson(signUp, record) ? { step: 'take-over', person } : { step: 'closed' };
}

export interface IssuerAdmissionsParts {
  readonly records: IssuerRecords;
  readonly people: PersonRecords;
  readonly drafts: PersonDrafts;
  readonly start: SessionStart;
  readonly signUp: SignUpPolicy;
}

export type IssuerSignInOutcome = SignInOutcome | { readonly outcome: 'closed' | 'account-not-linked' | 'email-not-verified' };

/** `reason` is for the log; `null` if a session began. */
export type IssuerCallbackOutcome = IssuerSignInOutcome & { readonly reason: string | null };

/** Signs in people whom the issuer has identified; the issuer counts as one factor. Throws if the store is unavailable. */
export class IssuerAdmissions {
  constructor(private readonly parts: IssuerAdmissionsParts) {}

  /** Admits the linked person, or, without a link, the person with the subject's verified address. */
  async admit(
    request: BrowserRequest, identity: IssuerIdentity, { challenge, at }: { readonly challenge: AnsweredChallenge; readonly at: Instant },
  ): Promise<IssuerSignInOutcome> {
    const { records, people, start, signUp } = this.parts;
    // Otherwise all identities without a subject would be the same person.
    if (identity.subject === '') return REFUSED_SIGN_IN;
    const subject = { issuer: identity.issuer, subject: identity.subject };
    const admitted = await records.admit({ subject, newcomer: this.newcomer(identity, request.address, at), signUp, challenge, at, address: request.address });
    if (admitted.outcome !== 'admitted') return admitted;
    const record = await people.find(admitted.personId);
    const proof = { way: 'issuer', assurance: 'one-factor', provenBy: { kind: 'issuer', subject }, forgets: null, at } as const;
    return (record === null ? null : await start.begin(request, record, proof)) ?? { outcome: 'refused' };
  }

  private newcomer({ email, emailVerified, name }: IssuerIdentity, address: string, at: Instant): IssuerAdmission['newcomer'] {
    if (!emailVerified || email === null || !isMailAddress(email)) return null;
    const person = this.parts.drafts.person({ email, name: name !== null && isDisplayName(name) ? name : mailboxOf(email), at });
    return { person, account: this.parts.drafts.accountFor(person, at), signupCredit: this.parts.drafts.creditFor(person, address) };
  }
}
