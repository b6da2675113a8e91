import type { SecretTokens } from '../../ports/secret-tokens.js';
import type { BrowserRequest } from '../../ports/sessions.js';
import type { IssuerSecrets, SignInIssuer } from '../../ports/sign-in-issuer.js';
import type { ChallengeUse, OpenChallenge, SignedChallenges } from '../../ports/signed-challenges.js';
import { type Instant, later, MILLISECONDS_PER_SECOND } from '../../time/instant.js';
import { browserCookie, type CookieForm, cookieValueIn } from '../session-cookie.js';
import type { IssuerAdmissions, IssuerSignInOutcome } from './issuer-admissions.js';
import { ISSUER_SIGN_IN_MILLISECONDS } from './issuer-identity.js';

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
const CHALLENGE = /^[A-Za-z0-9_-]{1,128}$/;
const LONGEST_QUERY = 8_192;

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
  async finish(request: BrowserRequest, query: string, at: Instant): Promise<IssuerSignInOutcome> {
    const { challenges, issuer, cookie, tokens, admissions } = this.parts;
    const challenge = cookieValueIn(request.cookie, cookie, CHALLENGE);
    const open = challenge === null ? null : challenges.open(challenge, USE, at);
    if (challenge === null || open === null || query.length > LONGEST_QUERY) return REFUSED;
    const identity = await issuer.identify(query, secretsOf(open), at);
    if (identity === null) return REFUSED;
    return admissions.admit(request, identity, { challenge: { hash: tokens.hash(challenge), expiresAt: open.expiresAt }, at });
  }

  /** The `Set-Cookie` header for a browser whose callback has been answered. */
  forgetCookie(): string {
    return browserCookie(this.parts.cookie, '', 0);
  }
}
