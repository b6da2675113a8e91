import type { IdGenerator } from '../ports/id-generator.js';
import type { PersonRecord } from '../ports/person-records.js';
import type { SecretTokens } from '../ports/secret-tokens.js';
import type { ProvenBy, SessionRecords } from '../ports/session-records.js';
import type { BrowserRequest, SignedIn, SignInOutcome } from '../ports/sessions.js';
import type { Instant } from '../time/instant.js';
import { maySignIn, type Person } from './person.js';
import { type SecondFactorPolicy, sessionReach } from './second-factor.js';
import { type Assurance, remainingSeconds, type Session, type SignInWay } from './session.js';
import { type CookieForm, sessionCookie, sessionTokenIn } from './session-cookie.js';

export interface SessionStartParts {
  readonly sessions: SessionRecords;
  readonly tokens: SecretTokens;
  readonly ids: IdGenerator;
  readonly secondFactor: SecondFactorPolicy;
  readonly cookie: CookieForm;
}

/** How and when a person has proved who they are. */
export interface SessionProof {
  readonly way: SignInWay;
  readonly assurance: Assurance;
  readonly provenBy: ProvenBy;
  readonly at: Instant;
}

const USER_AGENT_MAXIMUM_LENGTH = 256;

/** The one place where sessions begin, so standing and second factors hold on every way in. */
export class SessionStart {
  constructor(private readonly parts: SessionStartParts) {}

  /** For a person who has proved who they are. `null` when the proof no longer holds. */
  async begin(request: BrowserRequest, { person, account }: PersonRecord, { way, assurance, provenBy, at }: SessionProof): Promise<SignInOutcome | null> {
    if (!maySignIn(person, account)) return { outcome: 'refused' };
    const { tokens, ids, cookie, sessions } = this.parts;
    const token = tokens.issue();
    const session: Session = {
      id: ids.sessionId(), personId: person.id, signedInBy: way, assurance, createdAt: at, provenAt: at, lastUsedAt: at,
      address: request.address, userAgent: request.userAgent?.slice(0, USER_AGENT_MAXIMUM_LENGTH) ?? null,
    };
    const before = sessionTokenIn(request.cookie, cookie);
    const replaces = before === null ? null : tokens.hash(before);
    if (!await sessions.begin({ session, tokenHash: token.hash, provenBy, replaces })) return null;
    return { outcome: 'signed-in', signedIn: this.signedIn(session, person), setCookie: sessionCookie(cookie, token.text, remainingSeconds(session, person.role, at)) };
  }

  /** What the session may do under the policy. */
  signedIn(session: Session, person: Person): SignedIn {
    return { session, person, reach: sessionReach(this.parts.secondFactor, person, session) };
  }
}
