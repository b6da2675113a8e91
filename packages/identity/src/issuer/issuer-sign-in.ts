import { type Instant, later, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND } from '@tollgate/core';
import type { ChallengeUse, OpenChallenge, SignedChallenges } from '../challenges/signed-challenges.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { browserCookie, type CookieForm, cookieValuesIn } from '../cookies/cookies.js';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import type { IssuerAdmissions, IssuerCallbackOutcome, IssuerSignInOutcome } from './issuer-admissions.js';
import type { IssuerIdentity } from './issuer-identity.js';
import type { IssuerSecrets, SignInIssuer } from './sign-in-issuer.js';

/** Maximum time from the start to the callback. */
export const ISSUER_SIGN_IN_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;

export interface IssuerSignInParts {
  readonly issuer: SignInIssuer;
  readonly admissions: IssuerAdmissions;
  readonly challenges: SignedChallenges;
  readonly tokens: SecretTokens;
  /** Cookie that binds the callback to the browser. */
  readonly cookie: CookieForm;
}

const USE: ChallengeUse = { purpose: 'issuer-sign-in', boundTo: '' };
export const REFUSED_SIGN_IN: IssuerSignInOutcome = { outcome: 'refused' };

function refused(reason: string): IssuerCallbackOutcome {
  return { ...REFUSED_SIGN_IN, reason };
}

/** Why an identified person got no session, for the log; `null` if a session began. */
function reasonFor({ outcome }: IssuerSignInOutcome, { email, emailVerified, emailVerifiedClaim }: IssuerIdentity): string | null {
  switch (outcome) {
    case 'signed-in': return null;
    case 'closed': return 'the person has no account, and SIGN_UP admits no one without an invitation';
    case 'account-not-linked': return 'the address belongs to a person of another subject of the issuer';
    case 'email-not-verified':
      if (email === null) return 'the issuer sent no email';
      return emailVerified ? 'the email of the issuer is not a mail address' : `email_verified is ${emailVerifiedClaim}`;
    case 'refused': case 'not-verified': case 'unconfirmed': return 'the callback was used before, or the account may not sign in';
  }
}

const CHALLENGE = /^[A-Za-z0-9_-]{1,128}$/;
const MAX_QUERY = 8_192;
/** Base64url needs no percent-encoding. */
const STATE = /(?:^|&)state=([A-Za-z0-9_-]*)/;

function secretsOf(open: OpenChallenge): IssuerSecrets {
  return { state: open.derive('state'), nonce: open.derive('nonce'), verifier: open.derive('verifier') };
}

/**
 * Sign-in by OpenID Connect. Nothing is stored until the callback: the browser's cookie holds a signed challenge, from which state, nonce and PKCE
 * verifier are derived. Throws if the store or the issuer is unavailable.
 */
export class IssuerSignIn {
  constructor(private readonly parts: IssuerSignInParts) {}

  /** Returns the URL to redirect to, and the cookie that the callback requires. */
  async begin(at: Instant): Promise<{ readonly location: string; readonly setCookie: string }> {
    const { challenges, issuer, cookie } = this.parts;
    const challenge = challenges.issue(USE, later(at, ISSUER_SIGN_IN_MILLISECONDS));
    const open = challenges.open(challenge, USE, at);
    if (open === null) throw new Error('a challenge that was just issued cannot be opened');
    const location = await issuer.authorizationUrl(secretsOf(open), at);
    return { location, setCookie: browserCookie(cookie, challenge, ISSUER_SIGN_IN_MILLISECONDS / MILLISECONDS_PER_SECOND) };
  }

  /** `query` has no question mark. Replaces the browser's session. */
  async finish(request: BrowserRequest, query: string, at: Instant): Promise<IssuerCallbackOutcome> {
    const { challenges, issuer, cookie, tokens, admissions } = this.parts;
    if (query.length > MAX_QUERY) return refused('the query of the callback is too long');
    const [, state = ''] = STATE.exec(query) ?? [];
    const opened = cookieValuesIn(request.cookie, cookie, CHALLENGE).map((challenge) => ({ challenge, open: challenges.open(challenge, USE, at) }));
    const begun = opened.find(({ open }) => open !== null && secretsOf(open).state === state);
    if (begun === undefined || begun.open === null) return refused('the state of the callback matches no sign-in that this browser started in the last ten minutes');
    const { challenge, open } = begun;
    const identity = await issuer.identify(query, secretsOf(open), at);
    if ('refused' in identity) return refused(identity.refused);
    const outcome = await admissions.admit(request, identity, { challenge: { hash: tokens.hash(challenge), expiresAt: open.expiresAt }, at });
    return { ...outcome, reason: reasonFor(outcome, identity) };
  }

  /** `Set-Cookie` value that deletes the cookie, after the callback. */
  forgetCookie(): string {
    return browserCookie(this.parts.cookie, '', 0);
  }
}
