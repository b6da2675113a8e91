import { type Instant, instant, type TokenHash } from '@tollgate/core';
import type { BrowserStanding } from '../attempts/failures-in-a-row.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { type CookieForm, sessionCookie, sessionTokensIn } from '../cookies/cookies.js';
import type { PersonRecord } from '../people/person-records.js';
import { maySignIn, type Person } from '../people/person.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import { type SecondFactorPolicy, sessionReach } from './session-reach.js';
import type { ProvenBy, SessionRecords } from './session-records.js';
import { type Assurance, remainingSeconds, type Session, type SignInWay } from './session.js';
import type { SignInOutcome } from './proof-outcomes.js';
import type { SignedIn } from './signed-in.js';

export interface SessionStartParts {
  readonly sessions: SessionRecords;
  readonly tokens: SecretTokens;
  readonly ids: IdentityIdGenerator;
  readonly secondFactor: SecondFactorPolicy;
  readonly cookie: CookieForm;
}

export interface SessionProof {
  readonly way: SignInWay;
  readonly assurance: Assurance;
  readonly provenBy: ProvenBy;
  /** Kind of browser whose consecutive failures a complete sign-in resets; `null` resets none. */
  readonly forgets: BrowserStanding | null;
  readonly at: Instant;
}

const MAX_USER_AGENT_LENGTH = 256;
const NEVER = instant(0);

/** True for a person who has a password or a factor, and so can give a fresh proof. For anyone else, a machine's link counts as the proof. */
function hasOwnProof({ person, passwordHash }: PersonRecord): boolean {
  return passwordHash !== null || person.factors.length > 0;
}

/** Begins every session, so that standing and second factors apply to every way of signing in. */
export class SessionStart {
  constructor(private readonly parts: SessionStartParts) {}

  /** Begins the session of an authenticated person; `null` if the proof no longer holds. */
  async begin(request: BrowserRequest, record: PersonRecord, { way, assurance, provenBy, forgets, at }: SessionProof): Promise<SignInOutcome | null> {
    const { person, account } = record;
    if (!maySignIn(person, account)) return { outcome: 'refused' };
    const { tokens, ids, cookie, sessions } = this.parts;
    const token = tokens.issue();
    const session: Session = {
      id: ids.sessionId(), personId: person.id, signedInBy: way, assurance, createdAt: at, provenAt: provenBy.kind === 'machine' && hasOwnProof(record) ? NEVER : at, lastUsedAt: at,
      address: request.address, userAgent: request.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      machineId: provenBy.kind === 'machine' ? provenBy.id : null,
    };
    const replaces = sessionTokensIn(request.cookie, cookie).map((before) => tokens.hash(before));
    const signedIn = this.signedIn(session, person, token.hash);
    if (!await sessions.begin({ session, tokenHash: token.hash, provenBy, replaces, forgets: signedIn.reach === 'full' ? forgets : null })) return null;
    return { outcome: 'signed-in', signedIn, setCookie: sessionCookie(cookie, token.text, remainingSeconds(session, person.role, at)) };
  }

  signedIn(session: Session, person: Person, tokenHash: TokenHash): SignedIn {
    return { session, person, tokenHash, reach: sessionReach(this.parts.secondFactor, person, session) };
  }
}
