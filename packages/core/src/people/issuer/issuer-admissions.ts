import { isMailAddress } from '../../mail/mail.js';
import type { IssuerAdmission, IssuerRecords } from '../../ports/issuer-records.js';
import type { PersonRecords } from '../../ports/person-records.js';
import type { BrowserRequest, SignInOutcome } from '../../ports/sessions.js';
import type { AnsweredChallenge } from '../../ports/signed-challenges.js';
import type { Instant } from '../../time/instant.js';
import { isDisplayName } from '../person.js';
import { mailboxOf, type PersonDrafts } from '../person-drafts.js';
import type { SessionStart } from '../session-start.js';
import type { SignUpPolicy } from '../sign-up-policy.js';
import type { IssuerIdentity } from './issuer-identity.js';

export interface IssuerAdmissionsParts {
  readonly records: IssuerRecords;
  readonly people: PersonRecords;
  readonly drafts: PersonDrafts;
  readonly start: SessionStart;
  readonly signUp: SignUpPolicy;
}

export type IssuerSignInOutcome = SignInOutcome | { readonly outcome: 'closed' | 'account-not-linked' | 'email-not-verified' };

/** Whom people are that an issuer has identified. The issuer counts as one factor. Throws when the store is away. */
export class IssuerAdmissions {
  constructor(private readonly parts: IssuerAdmissionsParts) {}

  /** Begins a session for the person of a subject: by the subject once it is linked, before that by an address that the issuer has verified. */
  async admit(
    request: BrowserRequest, identity: IssuerIdentity, { challenge, at }: { readonly challenge: AnsweredChallenge; readonly at: Instant },
  ): Promise<IssuerSignInOutcome> {
    const { records, people, start, signUp } = this.parts;
    const subject = { issuer: identity.issuer, subject: identity.subject };
    const admitted = await records.admit({ subject, newcomer: this.newcomer(identity, at), signUp, challenge, at, address: request.address });
    if (admitted.outcome !== 'admitted') return admitted;
    const record = await people.find(admitted.personId);
    const proof = { way: 'issuer', assurance: 'one-factor', provenBy: { kind: 'issuer', subject }, at } as const;
    return (record === null ? null : await start.begin(request, record, proof)) ?? { outcome: 'refused' };
  }

  private newcomer({ email, emailVerified, name }: IssuerIdentity, at: Instant): IssuerAdmission['newcomer'] {
    if (!emailVerified || email === null || !isMailAddress(email)) return null;
    const person = this.parts.drafts.person({ email, name: name !== null && isDisplayName(name) ? name : mailboxOf(email), at });
    return { person, account: this.parts.drafts.accountFor(person, at), signupCredit: this.parts.drafts.creditFor(person) };
  }
}
