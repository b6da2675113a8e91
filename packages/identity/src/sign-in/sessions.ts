import { type AuditedBy, foldEmail, type Instant, type PersonId, type TokenHash } from '@tollgate/core';
import { type BrowserStanding, needsMailedLink } from '../attempts/failures-in-a-row.js';
import { strangerAt, type TurnHolder } from '../attempts/fair-turns.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { forgottenCookie, sessionTokensIn } from '../cookies/cookies.js';
import { SessionProofs, type SessionProofsParts } from '../factors/session-proofs.js';
import { type Password, readPassword } from '../passwords/password.js';
import type { PersonRecord, StoredToken } from '../people/person-records.js';
import { maySignIn, type Person } from '../people/person.js';
import type { SessionChoice, SessionRecords } from '../sessions/session-records.js';
import { type SessionProof, SessionStart } from '../sessions/session-start.js';
import { isSessionAlive, isUseWorthNoting, type Session } from '../sessions/session.js';
import type { FreshProof, ProveOutcome, SignInOutcome } from '../sessions/proof-outcomes.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';

export interface SessionsParts extends SessionProofsParts {
  readonly sessions: SessionRecords;
  readonly ids: IdentityIdGenerator;
}

export type SignInProof =
  | {
    readonly kind: 'password';
    readonly email: string;
    readonly password: string;
    /** Called once the password is hashed. The work after that depends on the person. */
    readonly onHashed?: () => void;
  }
  | { readonly kind: 'link'; readonly token: string };

interface Credentials {
  readonly email: string;
  readonly password: Password;
  readonly onHashed: () => void;
}

const REFUSED: SignInOutcome = { outcome: 'refused' };

/**
 * The cookie holds a random token, the store its hash. Throws if the store is unavailable: an unreadable session never counts as missing,
 * nor an unfinished sign-out as finished.
 */
export class Sessions {
  private readonly start: SessionStart;
  private readonly proofs: SessionProofs;

  constructor(private readonly parts: SessionsParts) {
    this.start = new SessionStart(parts);
    this.proofs = new SessionProofs(parts);
  }

  /** `null` without a session, after its expiry, or if the person may no longer sign in. */
  async current(request: BrowserRequest, at: Instant): Promise<SignedIn | null> {
    const signedIn = await this.peek(request, at);
    if (signedIn !== null && isUseWorthNoting(signedIn.session, at)) await this.parts.sessions.noteUse(signedIn.session.id, at, request.address);
    return signedIn;
  }

  /** Like `current`, but does not extend the session. */
  async peek({ cookie }: BrowserRequest, at: Instant): Promise<SignedIn | null> {
    for (const token of sessionTokensIn(cookie, this.parts.cookie)) {
      const signedIn = await this.signedInBy(this.parts.tokens.hash(token), at);
      if (signedIn !== null) return signedIn;
    }
    return null;
  }

  private async signedInBy(tokenHash: TokenHash, at: Instant): Promise<SignedIn | null> {
    const found = await this.parts.sessions.find(tokenHash);
    if (found === null) return null;
    const { session, record: { person, account } } = found;
    if (!isSessionAlive(session, person.role, at) || !maySignIn(person, account)) return null;
    return this.start.signedIn(session, person, tokenHash);
  }

  /** A success replaces the browser's session. */
  signIn(request: BrowserRequest, proof: SignInProof, at: Instant): Promise<SignInOutcome> {
    if (proof.kind === 'link') return this.signInByLink(request, proof.token, at);
    const read = readPassword(proof.password);
    // Depends only on the input, so it reveals nothing about the person.
    if (read.outcome !== 'read') return Promise.resolve(REFUSED);
    const { onHashed = () => undefined } = proof;
    return this.signInByPassword(request, { email: foldEmail(proof.email), password: read.password, onHashed }, at);
  }

  /** Takes a proof in the browser's session. A factor raises the session's assurance. */
  async prove(request: BrowserRequest, proof: FreshProof, at: Instant): Promise<ProveOutcome> {
    const signedIn = await this.current(request, at);
    return signedIn === null ? { outcome: 'not-signed-in' } : this.proofs.prove({ request, signedIn, at }, proof);
  }

  /** The person's valid sessions, most recently used first. */
  async list({ id, role }: Person, at: Instant): Promise<readonly Session[]> {
    const sessions = await this.parts.sessions.list(id);
    return sessions.filter((session) => isSessionAlive(session, role, at));
  }

  /** Ends sessions on every gateway, and resolves to their number. If `by` is present, another person ends them, and the act is audited. */
  end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number> {
    return this.parts.sessions.end(personId, which, by);
  }

  /** `Set-Cookie` value that deletes the session cookie. */
  forgetCookie(): string {
    return forgottenCookie(this.parts.cookie);
  }

  /** Retries once if the stored hash has changed meanwhile, by a rehash or a new password. */
  private async signInByPassword(request: BrowserRequest, credentials: Credentials, at: Instant): Promise<SignInOutcome> {
    const { devices, hasher } = this.parts;
    if (!devices.isMarked(request)) hasher.checkRoom(strangerAt(request.address));
    return await this.tryPassword(request, credentials, at) ?? await this.tryPassword(request, credentials, at) ?? REFUSED;
  }

  private async tryPassword(request: BrowserRequest, { email, password, onHashed }: Credentials, at: Instant): Promise<SignInOutcome | null> {
    const { people, hasher, factors } = this.parts;
    const record = await people.findByEmail(email);
    const holder = this.holderOf(request, record, at);
    const verdict = await hasher.verify(password, record?.passwordHash ?? null, holder);
    onHashed();
    if (record === null || record.passwordHash === null) return REFUSED;
    const { person, account } = record;
    const browser = holder.kind === 'known' ? 'known' : 'unknown';
    if (verdict === 'wrong') return this.countWrongPassword(person, browser, at);
    if (!person.emailVerified) return { outcome: 'not-verified' };
    if (!maySignIn(person, account)) return REFUSED;
    const { attempts } = await factors.find(person.id);
    if (needsMailedLink(browser, attempts[browser])) return { outcome: 'unconfirmed', person };
    const outcome = await this.start.begin(request, record, {
      way: 'password', assurance: 'one-factor', provenBy: { kind: 'password', hash: record.passwordHash, browser }, forgets: browser, at,
    });
    if (verdict === 'outdated' && outcome?.outcome === 'signed-in') {
      await people.rehash(record.person.id, record.passwordHash, await hasher.hash(password, holder));
    }
    return outcome;
  }

  /** Counts the failure only if the address is verified: unverified addresses get no notices. */
  private async countWrongPassword(person: Person, browser: BrowserStanding, at: Instant): Promise<SignInOutcome> {
    const { factors, notices } = this.parts;
    if (!person.emailVerified) return REFUSED;
    await factors.noteWrongPassword({ personId: person.id, browser, warnings: notices.warningsFor(person, at) });
    notices.stored();
    return REFUSED;
  }

  /** The person if the browser has the person's mark; otherwise a stranger, whether or not the person exists. */
  private holderOf(request: BrowserRequest, record: PersonRecord | null, at: Instant): TurnHolder {
    return record !== null && this.parts.devices.knows(request, record, at) ? { kind: 'known', person: record.person.id } : strangerAt(request.address);
  }

  /** Signs in by a link that was created for an operator or by a machine, or mailed because a password or an issuer was not sufficient. */
  private async signInByLink(request: BrowserRequest, token: string, at: Instant): Promise<SignInOutcome> {
    const { tokens, people } = this.parts;
    const link = await this.findLink(tokens.hash(token), at);
    if (link === null) return REFUSED;
    const person = await people.redeem({ hash: link.hash, purpose: link.purpose, effect: { kind: 'none' }, at, address: request.address });
    const record = person === null ? null : await people.find(person.id);
    if (record === null) return REFUSED;
    return await this.start.begin(request, record, { ...await this.proofBy(link, request, at), assurance: 'one-factor', at }) ?? REFUSED;
  }

  private async findLink(hash: TokenHash, at: Instant): Promise<StoredToken | null> {
    for (const purpose of ['confirm-sign-in', 'machine-sign-in', 'sign-in'] as const) {
      const link = await this.parts.people.findToken(hash, purpose, at);
      if (link !== null) return link;
    }
    return null;
  }

  private async proofBy({ purpose, personId, machineId }: StoredToken, request: BrowserRequest, at: Instant): Promise<Pick<SessionProof, 'way' | 'provenBy' | 'forgets'>> {
    if (machineId !== null) return { way: 'machine', provenBy: { kind: 'machine', id: machineId }, forgets: null };
    if (purpose === 'sign-in') return { way: 'link', provenBy: { kind: 'link' }, forgets: null };
    return { way: 'confirmed', provenBy: { kind: 'link' }, forgets: await this.parts.devices.standingOf(request, personId, at) };
  }
}
