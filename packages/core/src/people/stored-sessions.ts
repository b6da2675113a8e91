import { foldEmail } from '../accounts/account.js';
import type { PersonId } from '../ids.js';
import type { AuditedBy } from '../ports/accounts.js';
import type { IdGenerator } from '../ports/system.js';
import type {
  BrowserRequest, FreshProof, ProveOutcome, SessionChoice, SessionRecords, Sessions, SignedIn, SignInOutcome, SignInProof,
} from '../ports/sessions.js';
import type { Instant } from '../time.js';
import { type Password, readPassword } from './password.js';
import { maySignIn, type Person } from './person.js';
import { forgottenCookie, isSessionAlive, isUseWorthNoting, type Session, SessionStart, sessionTokenIn } from './session.js';
import { SessionProofs, type SessionProofsParts } from './session-proofs.js';

export interface StoredSessionsParts extends SessionProofsParts {
  readonly sessions: SessionRecords;
  readonly ids: IdGenerator;
}

interface Credentials {
  readonly email: string;
  readonly password: Password;
}

const REFUSED: SignInOutcome = { outcome: 'refused' };

/** Sessions whose records are in a store of the gateway's own: a cookie holds a random token, the store its hash. */
export class StoredSessions implements Sessions {
  private readonly start: SessionStart;
  private readonly proofs: SessionProofs;

  constructor(private readonly parts: StoredSessionsParts) {
    this.start = new SessionStart(parts);
    this.proofs = new SessionProofs(parts);
  }

  async current(request: BrowserRequest, at: Instant): Promise<SignedIn | null> {
    const signedIn = await this.peek(request, at);
    if (signedIn !== null && isUseWorthNoting(signedIn.session, at)) await this.parts.sessions.noteUse(signedIn.session.id, at, request.address);
    return signedIn;
  }

  async peek({ cookie }: BrowserRequest, at: Instant): Promise<SignedIn | null> {
    const token = sessionTokenIn(cookie, this.parts.cookie);
    if (token === null) return null;
    const found = await this.parts.sessions.find(this.parts.tokens.hash(token));
    if (found === null) return null;
    const { session, record: { person, account } } = found;
    if (!isSessionAlive(session, person.role, at) || !maySignIn(person, account)) return null;
    return this.start.signedIn(session, person);
  }

  signIn(request: BrowserRequest, proof: SignInProof, at: Instant): Promise<SignInOutcome> {
    if (proof.kind === 'link') return this.signInByLink(request, proof.token, at);
    const read = readPassword(proof.password);
    // Depends on what was typed alone, so it says nothing about the person.
    if (read.outcome !== 'read') return Promise.resolve(REFUSED);
    return this.signInByPassword(request, { email: foldEmail(proof.email), password: read.password }, at);
  }

  async prove(request: BrowserRequest, proof: FreshProof, at: Instant): Promise<ProveOutcome> {
    const signedIn = await this.current(request, at);
    return signedIn === null ? { outcome: 'not-signed-in' } : this.proofs.prove({ request, signedIn, at }, proof);
  }

  async list({ id, role }: Person, at: Instant): Promise<readonly Session[]> {
    const sessions = await this.parts.sessions.list(id);
    return sessions.filter((session) => isSessionAlive(session, role, at));
  }

  end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number> {
    return this.parts.sessions.end(personId, which, by);
  }

  forgetCookie(): string {
    return forgottenCookie(this.parts.cookie);
  }

  /** Once more where the stored hash changed between the proof and the session: by another sign-in's rehash, or by a new password. */
  private async signInByPassword(request: BrowserRequest, credentials: Credentials, at: Instant): Promise<SignInOutcome> {
    await this.parts.hasher.room();
    return await this.tryPassword(request, credentials, at) ?? await this.tryPassword(request, credentials, at) ?? REFUSED;
  }

  private async tryPassword(request: BrowserRequest, { email, password }: Credentials, at: Instant): Promise<SignInOutcome | null> {
    const { people, hasher } = this.parts;
    const record = await people.findByEmail(email);
    const verdict = await hasher.verify(password, record?.passwordHash ?? null);
    if (record === null || record.passwordHash === null || verdict === 'wrong') return REFUSED;
    if (!record.person.emailVerified) return { outcome: 'not-verified' };
    const outcome = await this.start.begin(request, record, {
      way: 'password', assurance: 'one-factor', provenBy: { kind: 'password', hash: record.passwordHash }, at,
    });
    if (verdict === 'outdated' && outcome?.outcome === 'signed-in') {
      await people.rehash(record.person.id, record.passwordHash, await hasher.hash(password));
    }
    return outcome;
  }

  private async signInByLink(request: BrowserRequest, token: string, at: Instant): Promise<SignInOutcome> {
    const hash = this.parts.tokens.hash(token);
    const person = await this.parts.people.redeem({ hash, purpose: 'sign-in', effect: { kind: 'none' }, at, address: request.address });
    const record = person === null ? null : await this.parts.people.find(person.id);
    if (record === null) return REFUSED;
    return await this.start.begin(request, record, { way: 'link', assurance: 'one-factor', provenBy: { kind: 'link' }, at }) ?? REFUSED;
  }
}
