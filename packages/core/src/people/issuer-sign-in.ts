import { isMailAddress } from '../accounts/mail-address.js';
import type { PersonRecord, PersonRecords } from '../ports/person-directory.js';
import { type Instant, later, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND } from '../time.js';
import { isDisplayName } from '../display-name.js';
import { maySignIn, type Person } from './person.js';
import { admitsPerson, mailboxOf, permitsRegistration, type PersonDrafts, type SignUpPolicy } from './sign-up.js';

import type {
  AnsweredChallenge, ChallengeUse, IssuerAdmission, IssuerRecords, IssuerSecrets, OpenChallenge, SignedChallenges, SignInIssuer,
} from '../ports/sign-in-methods.js';
import type { BrowserRequest, SignInOutcome } from '../ports/sessions.js';
import { browserCookie, type CookieForm, cookieValuesIn, type SessionStart } from './session.js';
import type { SecretTokens } from '../ports/system.js';

/** Someone as one OpenID Connect issuer knows them; the issuer never gives the subject to another person. */
export interface IssuerSubject {
  readonly issuer: string;
  readonly subject: string;
}

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

export interface IssuerAdmissionsParts {
  readonly records: IssuerRecords;
  readonly people: PersonRecords;
  readonly drafts: PersonDrafts;
  readonly start: SessionStart;
  readonly signUp: SignUpPolicy;
}

export type IssuerSignInOutcome = SignInOutcome | { readonly outcome: 'closed' | 'account-not-linked' | 'email-not-verified' };

/** The outcome of a callback, with the reason for the log; `null` if a session began. */
export type IssuerCallbackOutcome = IssuerSignInOutcome & { readonly reason: string | null };

/** Whom people are that an issuer has identified. The issuer counts as one factor. Throws when the store is away. */
export class IssuerAdmissions {
  constructor(private readonly parts: IssuerAdmissionsParts) {}

  /** Begins a session for the person of a subject: by the subject once it is linked, before that by an address that the issuer has verified. */
  async admit(
    request: BrowserRequest, identity: IssuerIdentity, { challenge, at }: { readonly challenge: AnsweredChallenge; readonly at: Instant },
  ): Promise<IssuerSignInOutcome> {
    const { records, people, start, signUp } = this.parts;
    // Everyone without one would be the same person.
    if (identity.subject === '') return REFUSED;
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

export interface IssuerSignInParts {
  readonly issuer: SignInIssuer;
  readonly admissions: IssuerAdmissions;
  readonly challenges: SignedChallenges;
  readonly tokens: SecretTokens;
  /** Of the cookie that binds a callback to its browser. */
  readonly cookie: CookieForm;
}

const USE: ChallengeUse = { purpose: 'issuer-sign-in', boundTo: '' };
const REFUSED: IssuerSignInOutcome = { outcome: 'refused' };

function refused(reason: string): IssuerCallbackOutcome {
  return { ...REFUSED, reason };
}

/** Why an identified person got no session; `null` for one who did. */
function reasonFor({ outcome }: IssuerSignInOutcome, { email, emailVerified, emailVerifiedClaim }: IssuerIdentity): string | null {
  switch (outcome) {
    case 'signed-in': return null;
    case 'closed': return 'the person has no account, and SIGN_UP admits no one without an invitation';
    case 'account-not-linked': return 'the address belongs to a person of another subject of the issuer';
    case 'email-not-verified':
      if (email === null) return 'the issuer sent no email';
      return emailVerified ? 'the email of the issuer is no mail address' : `email_verified is ${emailVerifiedClaim}`;
    case 'refused': case 'not-verified': case 'unconfirmed': return 'the callback was used before, or the account may not sign in';
  }
}

const CHALLENGE = /^[A-Za-z0-9_-]{1,128}$/;
const LONGEST_QUERY = 8_192;
/** A derived state is base64url, which a query does not encode. */
const STATE = /(?:^|&)state=([A-Za-z0-9_-]*)/;

function secretsOf(open: OpenChallenge): IssuerSecrets {
  return { state: open.derive('state'), nonce: open.derive('nonce'), verifier: open.derive('verifier') };
}

/**
 * Sign-in by an OpenID Connect issuer. Nothing is kept between start and callback: the browser's cookie holds a signed challenge, from which state, nonce
 * and the PKCE verifier are derived. Throws when the store or the issuer is away.
 */
export class IssuerSignIn {
  constructor(private readonly parts: IssuerSignInParts) {}

  /** Where to send the browser, and the cookie that it must bring back. */
  async begin(at: Instant): Promise<{ readonly location: string; readonly setCookie: string }> {
    const { challenges, issuer, cookie } = this.parts;
    const challenge = challenges.issue(USE, later(at, ISSUER_SIGN_IN_MILLISECONDS));
    const open = challenges.open(challenge, USE, at);
    if (open === null) throw new Error('a challenge does not open that was issued just now');
    const location = await issuer.authorizationUrl(secretsOf(open), at);
    return { location, setCookie: browserCookie(cookie, challenge, ISSUER_SIGN_IN_MILLISECONDS / MILLISECONDS_PER_SECOND) };
  }

  /** With the query of the callback, without its question mark. Begins a session and ends the one that the browser had. */
  async finish(request: BrowserRequest, query: string, at: Instant): Promise<IssuerCallbackOutcome> {
    const { challenges, issuer, cookie, tokens, admissions } = this.parts;
    if (query.length > LONGEST_QUERY) return refused('the query of the callback is too long');
    const [, state = ''] = STATE.exec(query) ?? [];
    const opened = cookieValuesIn(request.cookie, cookie, CHALLENGE).map((challenge) => ({ challenge, open: challenges.open(challenge, USE, at) }));
    const begun = opened.find(({ open }) => open !== null && secretsOf(open).state === state);
    if (begun === undefined || begun.open === null) return refused('this browser began no sign-in with the state of the callback within ten minutes');
    const { challenge, open } = begun;
    const identity = await issuer.identify(query, secretsOf(open), at);
    if ('refused' in identity) return refused(identity.refused);
    const outcome = await admissions.admit(request, identity, { challenge: { hash: tokens.hash(challenge), expiresAt: open.expiresAt }, at });
    return { ...outcome, reason: reasonFor(outcome, identity) };
  }

  /** The `Set-Cookie` header for a browser whose callback has been answered. */
  forgetCookie(): string {
    return browserCookie(this.parts.cookie, '', 0);
  }
}
