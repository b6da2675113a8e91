import { foldEmail } from '../accounts/mail-address.js';
import type { PersonId, TokenHash } from '../primitives.js';
import type { AuditedBy } from '../ports/accounts.js';
import type { IdGenerator } from '../ports/system.js';
import type { PersonRecord } from '../ports/person-directory.js';
import type {
  BrowserRequest, FreshProof, ProveOutcome, SessionChoice, SessionRecords, Sessions, SignedIn, SignInOutcome, SignInProof,
} from '../ports/sessions.js';
import { type Instant, later, MILLISECONDS_PER_MINUTE } from '../time.js';
import { type Password, readPassword } from './password.js';
import { maySignIn, ownAct, type Person } from './person.js';
import { forgottenCookie, isFreshlyProven, isSessionAlive, isUseWorthNoting, type Session, SessionStart, sessionTokensIn } from './session.js';
import { type ProofAct, SessionProofs, type SessionProofsParts } from './session-proofs.js';
import type {
  BeginTotpOutcome, ConfirmTotpOutcome, FactorCodes, FactorOverview, FactorRecords, FactorRefusal, RemoveTotpOutcome, RenewCodesOutcome,
  SecondFactors,
} from '../ports/second-factors.js';
import { FactorChecks, mayAddFactor } from './second-factor.js';
import { lockOf } from './attempt-limits.js';
import { strangerAt, type TurnHolder } from './fair-turns.js';

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
    const { devices, hasher } = this.parts;
    if (!devices.isMarked(request)) hasher.checkRoom(strangerAt(request.address));
    return await this.tryPassword(request, credentials, at) ?? await this.tryPassword(request, credentials, at) ?? REFUSED;
  }

  private async tryPassword(request: BrowserRequest, { email, password }: Credentials, at: Instant): Promise<SignInOutcome | null> {
    const { people, hasher } = this.parts;
    const record = await people.findByEmail(email);
    const holder = this.holderOf(request, record, at);
    const verdict = await hasher.verify(password, record?.passwordHash ?? null, holder);
    if (record === null || record.passwordHash === null || verdict === 'wrong') return REFUSED;
    if (!record.person.emailVerified) return { outcome: 'not-verified' };
    const outcome = await this.start.begin(request, record, {
      way: 'password', assurance: 'one-factor', provenBy: { kind: 'password', hash: record.passwordHash }, at,
    });
    if (verdict === 'outdated' && outcome?.outcome === 'signed-in') {
      await people.rehash(record.person.id, record.passwordHash, await hasher.hash(password, holder));
    }
    return outcome;
  }

  /** A browser without the person's mark is a stranger's, whether or not there is such a person. */
  private holderOf(request: BrowserRequest, record: PersonRecord | null, at: Instant): TurnHolder {
    return record !== null && this.parts.devices.knows(request, record, at) ? { kind: 'known', person: record.person.id } : strangerAt(request.address);
  }

  private async signInByLink(request: BrowserRequest, token: string, at: Instant): Promise<SignInOutcome> {
    const hash = this.parts.tokens.hash(token);
    const person = await this.parts.people.redeem({ hash, purpose: 'sign-in', effect: { kind: 'none' }, at, address: request.address });
    const record = person === null ? null : await this.parts.people.find(person.id);
    if (record === null) return REFUSED;
    return await this.start.begin(request, record, { way: 'link', assurance: 'one-factor', provenBy: { kind: 'link' }, at }) ?? REFUSED;
  }
}

export interface StoredFactorsParts extends SessionProofsParts {
  readonly sessions: Sessions;
  /** What authenticator apps show the codes under, such as `Tollgate (api.example.com)`. */
  readonly issuer: () => string;
}

/** A secret that was shown and not proved is worth nothing after so long. */
const ENROLMENT_MILLISECONDS = 15 * MILLISECONDS_PER_MINUTE;
const UNAVAILABLE = { outcome: 'unavailable' } as const;

type Permission = { readonly outcome: 'permitted'; readonly signedIn: SignedIn } | { readonly outcome: Exclude<FactorRefusal, 'unavailable'> };

/** Second factors whose records are in a store of the gateway's own. */
export class StoredFactors implements SecondFactors {
  private readonly proofs: SessionProofs;
  private readonly records: FactorRecords;

  constructor(private readonly parts: StoredFactorsParts) {
    this.proofs = new SessionProofs(parts);
    this.records = parts.factors;
  }

  async overview(personId: PersonId): Promise<FactorOverview> {
    const { totp, recoveryCodesLeft } = await this.records.find(personId);
    return { totpSince: totp?.confirmedAt ?? null, recoveryCodesLeft };
  }

  async beginTotp(request: BrowserRequest, at: Instant): Promise<BeginTotpOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { codes, issuer } = this.parts;
    if (codes === null) return UNAVAILABLE;
    const { id: personId, email } = permission.signedIn.person;
    const { secret, text, uri } = await codes.totp.issue(issuer(), email);
    const begun = await this.records.beginTotp({ personId, sealed: codes.sealer.seal(secret, personId), at });
    return begun ? { outcome: 'begun', secret: text, uri } : { outcome: 'already-enrolled' };
  }

  async confirmTotp(request: BrowserRequest, code: string, at: Instant): Promise<ConfirmTotpOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { codes } = this.parts;
    if (codes === null) return UNAVAILABLE;
    const { signedIn } = permission;
    const { totp, attempts } = await this.records.find(signedIn.person.id);
    if (totp === null || totp.confirmedAt !== null || at >= later(totp.begunAt, ENROLMENT_MILLISECONDS)) return { outcome: 'nothing-begun' };
    const until = lockOf(attempts, at);
    if (until !== null) return { outcome: 'locked', until };
    return this.confirm({ request, signedIn, at }, { sealed: totp.sealed, code }, codes);
  }

  async renewRecoveryCodes(request: BrowserRequest, at: Instant): Promise<RenewCodesOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { codes, notices } = this.parts;
    if (codes === null) return UNAVAILABLE;
    const { person } = permission.signedIn;
    const { totp } = await this.records.find(person.id);
    if (totp === null || totp.confirmedAt === null) return { outcome: 'not-enrolled' };
    const issued = new FactorChecks(codes).issueRecoveryCodes(person.id, totp.sealed);
    if (issued === null) return UNAVAILABLE;
    const notice = notices.of(person, 'recovery-codes-renewed', at);
    const replaced = await this.records.replaceRecoveryCodes({ personId: person.id, sealed: totp.sealed, codeHashes: issued.hashes, notice }, ownAct(person.id, at, request.address));
    if (!replaced) return { outcome: 'not-enrolled' };
    notices.stored();
    return { outcome: 'renewed', recoveryCodes: issued.shown };
  }

  async removeTotp(request: BrowserRequest, at: Instant): Promise<RemoveTotpOutcome> {
    const permission = await this.permit(request, at);
    if (permission.outcome !== 'permitted') return permission;
    const { notices } = this.parts;
    const { person } = permission.signedIn;
    const removed = await this.records.removeTotp({ personId: person.id, notice: notices.of(person, 'totp-removed', at) }, ownAct(person.id, at, request.address));
    if (!removed) return { outcome: 'not-enrolled' };
    notices.stored();
    return { outcome: 'removed' };
  }

  private async confirm(act: ProofAct, { sealed, code }: { readonly sealed: string; readonly code: string }, codes: FactorCodes): Promise<ConfirmTotpOutcome> {
    const { signedIn: { person }, at } = act;
    const checks = new FactorChecks(codes);
    const issued = checks.issueRecoveryCodes(person.id, sealed);
    if (issued === null) return UNAVAILABLE;
    const checked = await checks.enrolment({ personId: person.id, sealed, typed: code, at }, issued);
    if (checked.outcome === 'unreadable') return UNAVAILABLE;
    const taken = await this.proofs.take(act, { spend: checked.spend, notice: this.parts.notices.of(person, 'totp-added', at) });
    // The code was right, and another one of the same secret came first.
    if (taken.outcome === 'refused' && checked.spend !== null) return { outcome: 'nothing-begun' };
    return taken.outcome === 'proven' ? { ...taken, outcome: 'enrolled', recoveryCodes: issued.shown } : taken;
  }

  /** A session that has yet to prove a factor may not add another one beside it. */
  private async permit(request: BrowserRequest, at: Instant): Promise<Permission> {
    const signedIn = await this.parts.sessions.current(request, at);
    if (signedIn === null) return { outcome: 'not-signed-in' };
    if (!mayAddFactor(signedIn.reach)) return { outcome: 'second-factor-required' };
    return isFreshlyProven(signedIn.session, at) ? { outcome: 'permitted', signedIn } : { outcome: 'fresh-proof-required' };
  }
}
