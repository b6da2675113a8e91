import type { PersonId, SessionId, TokenHash } from '../primitives.js';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, secondsUntil } from '../time.js';
import { maySignIn, type Person, type PersonRole } from './person.js';
import type { IdentityIdGenerator, SecretTokens } from '../ports/system.js';
import type { PersonRecord } from '../ports/person-directory.js';
import type { BrowserRequest, ProvenBy, SessionRecords, SignedIn, SignInOutcome } from '../ports/sessions.js';
import type { BrowserStanding } from './failures-in-a-row.js';
import { type SecondFactorPolicy, sessionReach } from './second-factor.js';

/** How a session began. `confirmed`: by a mailed link, after a password or an issuer that did not suffice; see `needsMailedLink`. */
export type SignInWay = 'password' | 'link' | 'passkey' | 'issuer' | 'confirmed';

/**
 * How much a session has proved: one thing, or two of different kinds. A passkey that verified its user counts as two. `factor-removed`: two, and the
 * person's last factor was removed since, so it counts as one and may enrol another.
 */
export type Assurance = 'one-factor' | 'two-factor' | 'factor-removed';

/** A browser that a person is signed in with. */
export interface Session {
  readonly id: SessionId;
  readonly personId: PersonId;
  readonly signedInBy: SignInWay;
  readonly assurance: Assurance;
  readonly createdAt: Instant;
  /** When the person last proved a password, a factor or a link in it. */
  readonly provenAt: Instant;
  /** To the minute. */
  readonly lastUsedAt: Instant;
  /** The address that last used it. */
  readonly address: string;
  readonly userAgent: string | null;
}

/** How long a session lives. */
export interface SessionLife {
  readonly idleMilliseconds: number;
  readonly absoluteMilliseconds: number;
}

const OPERATOR_HOURS = 12;
const OWNER_IDLE_DAYS = 7;
const OWNER_DAYS = 30;

const LIVES: Readonly<Record<PersonRole, SessionLife>> = {
  owner: { idleMilliseconds: OWNER_IDLE_DAYS * MILLISECONDS_PER_DAY, absoluteMilliseconds: OWNER_DAYS * MILLISECONDS_PER_DAY },
  operator: { idleMilliseconds: OPERATOR_HOURS * MILLISECONDS_PER_HOUR, absoluteMilliseconds: OPERATOR_HOURS * MILLISECONDS_PER_HOUR },
};

/** Each session of any role is over this long after it began. */
export const LONGEST_SESSION_MILLISECONDS = LIVES.owner.absoluteMilliseconds;
/** Oldest ones end when a person signs in with more browsers. */
export const MAXIMUM_SESSIONS = 50;
/** For how long a proof lets a session change how its person signs in. */
export const FRESH_PROOF_MILLISECONDS = 10 * MILLISECONDS_PER_MINUTE;
/** A session in use is written at most this often. */
const USE_NOTED_EVERY = MILLISECONDS_PER_MINUTE;

export function sessionLifeOf(role: PersonRole): SessionLife {
  return LIVES[role];
}

/** Use prolongs a session up to the absolute limit, and not beyond. The role is today's, not the one at sign-in. */
export function isSessionAlive({ createdAt, lastUsedAt }: Session, role: PersonRole, at: Instant): boolean {
  const { idleMilliseconds, absoluteMilliseconds } = LIVES[role];
  return at < later(createdAt, absoluteMilliseconds) && at < later(lastUsedAt, idleMilliseconds);
}

/** How long a browser keeps the session's cookie: whole seconds. */
export function remainingSeconds({ createdAt }: Session, role: PersonRole, at: Instant): number {
  return secondsUntil(later(createdAt, LIVES[role].absoluteMilliseconds), at);
}

/** Whether the session may change the password, the address or the factors, or end the account: not with a cookie from a browser left open. */
export function isFreshlyProven({ provenAt }: Pick<Session, 'provenAt'>, at: Instant): boolean {
  return at < later(provenAt, FRESH_PROOF_MILLISECONDS);
}

/** Whether a use at this time is worth a write. */
export function isUseWorthNoting({ lastUsedAt }: Session, at: Instant): boolean {
  return at >= later(lastUsedAt, USE_NOTED_EVERY);
}

/** What the session cookie is called, and whether browsers send it over encrypted connections only. */
export interface CookieForm {
  readonly name: string;
  readonly secure: boolean;
}

/** The prefix makes browsers refuse the cookie from another host, another path or an unencrypted page. */
export const SECURE_COOKIE: CookieForm = { name: '__Host-tollgate_session', secure: true };
/** For plain http on a loopback address, where not every browser keeps a secure cookie. */
export const LOOPBACK_COOKIE: CookieForm = { name: 'tollgate_session', secure: false };

/** The cookies that bind the callback of an issuer to the browser that began, beside either form of the session's. */
export const SECURE_ISSUER_COOKIE: CookieForm = { name: '__Host-tollgate_issuer', secure: true };
export const LOOPBACK_ISSUER_COOKIE: CookieForm = { name: 'tollgate_issuer', secure: false };

/** 32 bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Browsers send about 4 KiB for each cookie; nothing is looked for beyond this. */
const LONGEST_HEADER = 16_384;

/** Values of one name that are looked at: a page of a sibling domain can plant some beside the right one. */
const MOST_VALUES = 4;

/** The values that a `Cookie` header has under a name, in its order: those that have the form, each once, and a few at most. */
export function cookieValuesIn(header: string | null, { name }: CookieForm, form: RegExp): readonly string[] {
  if (header === null || header.length > LONGEST_HEADER) return [];
  const prefix = `${name}=`;
  const values = header.split(';').map((pair) => pair.trim()).filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length));
  return [...new Set(values)].filter((value) => form.test(value)).slice(0, MOST_VALUES);
}

/** The tokens in a `Cookie` header, as `cookieValuesIn` reads them. */
export function sessionTokensIn(header: string | null, form: CookieForm): readonly string[] {
  return cookieValuesIn(header, form, TOKEN);
}

/** A `Set-Cookie` header with a cookie that scripts and other sites' forms do not get. */
export function browserCookie(form: CookieForm, value: string, maximumAgeSeconds: number): string {
  return `${form.name}=${value}; Path=/; Max-Age=${maximumAgeSeconds}; HttpOnly; SameSite=Lax${form.secure ? '; Secure' : ''}`;
}

/** A `Set-Cookie` header with the token of a session. */
export function sessionCookie(form: CookieForm, token: string, maximumAgeSeconds: number): string {
  return browserCookie(form, token, maximumAgeSeconds);
}

/** A `Set-Cookie` header that makes the browser forget the session. */
export function forgottenCookie(form: CookieForm): string {
  return browserCookie(form, '', 0);
}

export interface SessionStartParts {
  readonly sessions: SessionRecords;
  readonly tokens: SecretTokens;
  readonly ids: IdentityIdGenerator;
  readonly secondFactor: SecondFactorPolicy;
  readonly cookie: CookieForm;
}

/** How and when a person has proved who they are. */
export interface SessionProof {
  readonly way: SignInWay;
  readonly assurance: Assurance;
  readonly provenBy: ProvenBy;
  /** Whose failures in a row end with a sign-in that leaves nothing to prove; `null`: no one's. */
  readonly forgets: BrowserStanding | null;
  readonly at: Instant;
}

const USER_AGENT_MAXIMUM_LENGTH = 256;

/** The one place where sessions begin, so standing and second factors hold on every way in. */
export class SessionStart {
  constructor(private readonly parts: SessionStartParts) {}

  /** For a person who has proved who they are. `null` when the proof no longer holds. */
  async begin(request: BrowserRequest, { person, account }: PersonRecord, { way, assurance, provenBy, forgets, at }: SessionProof): Promise<SignInOutcome | null> {
    if (!maySignIn(person, account)) return { outcome: 'refused' };
    const { tokens, ids, cookie, sessions } = this.parts;
    const token = tokens.issue();
    const session: Session = {
      id: ids.sessionId(), personId: person.id, signedInBy: way, assurance, createdAt: at, provenAt: at, lastUsedAt: at,
      address: request.address, userAgent: request.userAgent?.slice(0, USER_AGENT_MAXIMUM_LENGTH) ?? null,
    };
    const replaces = sessionTokensIn(request.cookie, cookie).map((before) => tokens.hash(before));
    const signedIn = this.signedIn(session, person, token.hash);
    if (!await sessions.begin({ session, tokenHash: token.hash, provenBy, replaces, forgets: signedIn.reach === 'full' ? forgets : null })) return null;
    return { outcome: 'signed-in', signedIn, setCookie: sessionCookie(cookie, token.text, remainingSeconds(session, person.role, at)) };
  }

  /** What the session may do under the policy. */
  signedIn(session: Session, person: Person, tokenHash: TokenHash): SignedIn {
    return { session, person, tokenHash, reach: sessionReach(this.parts.secondFactor, person, session) };
  }
}
