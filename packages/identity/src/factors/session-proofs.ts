import type { Instant } from '@tollgate/core';
import { lockOf } from '../attempts/proof-attempts.js';
import type { BrowserRequest } from '../cookies/browser-request.js';
import { type CookieForm, forgottenCookie, sessionCookie } from '../cookies/cookies.js';
import type { StoredMail } from '../mail/mail.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { readPassword } from '../passwords/password.js';
import type { FactorNotices } from '../people/factor-notices.js';
import type { KnownDevices } from '../people/known-devices.js';
import type { PersonRecords } from '../people/person-records.js';
import type { Person } from '../people/person.js';
import { type SecondFactorPolicy, sessionReach } from '../sessions/session-reach.js';
import { actIn, remainingSeconds, type Session } from '../sessions/session.js';
import type { FreshProof, ProveOutcome } from '../sessions/proof-outcomes.js';
import type { SignedIn } from '../sessions/signed-in.js';
import type { SecretTokens } from '../tokens/secret-tokens.js';
import { FactorChecks } from './factor-checks.js';
import type { CheckedCode, FactorCodes } from './factor-codes.js';
import type { FactorRecords, ProofSpend, TotpRecord } from './factor-records.js';
import { raisesAssurance } from './proof-locks.js';

export interface SessionProofsParts {
  readonly people: PersonRecords;
  readonly factors: FactorRecords;
  readonly hasher: PasswordHasher;
  readonly tokens: SecretTokens;
  /** `null` without an installation secret: no code can be verified. */
  readonly codes: FactorCodes | null;
  readonly notices: FactorNotices;
  readonly devices: KnownDevices;
  readonly secondFactor: SecondFactorPolicy;
  readonly cookie: CookieForm;
}

export interface ProofAct {
  readonly request: BrowserRequest;
  readonly signedIn: SignedIn;
  readonly at: Instant;
}

/** `spend` is `null` for a wrong proof. */
export interface CheckedProof {
  readonly spend: ProofSpend | null;
  readonly notice: StoredMail | null;
}

const WRONG: CheckedCode = { outcome: 'checked', spend: null };

/** Proofs within an existing session. */
export class SessionProofs {
  constructor(private readonly parts: SessionProofsParts) {}

  async prove(act: ProofAct, proof: FreshProof): Promise<ProveOutcome> {
    const { signedIn: { person }, at } = act;
    const browser = await this.parts.devices.standingOf(act.request, person.id, at);
    const { totp, attempts } = await this.parts.factors.find(person.id);
    // Saves work if proofs are locked; the store checks again.
    const until = lockOf(attempts[browser], at);
    if (until !== null) return { outcome: 'locked', until };
    const checked = proof.kind === 'password' ? await this.checkPassword(person, proof.password) : await this.checkCode(act, totp, proof);
    if (checked.outcome === 'unreadable') return { outcome: 'unavailable' };
    const notice = proof.kind === 'recovery' ? this.parts.notices.of(person, 'recovery-code-used', at) : null;
    return this.take(act, { spend: checked.spend, notice });
  }

  /** Has the store decide on the proof. A success replaces the browser's cookie. */
  async take({ request, signedIn, at }: ProofAct, { spend, notice }: CheckedProof): Promise<ProveOutcome> {
    const { factors, tokens, cookie, notices, devices } = this.parts;
    const { session, person, reach, tokenHash } = signedIn;
    const next = tokens.issue();
    const result = await factors.prove({
      personId: person.id, sessionId: session.id, tokenHash, nextTokenHash: next.hash, spend, wrongEndsSession: reach === 'prove-factor', notice,
      browser: await devices.standingOf(request, person.id, at), isConfirmed: session.signedInBy === 'confirmed', warnings: notices.warningsFor(person, at),
    }, actIn(session, at, request.address));
    if (result.outcome !== 'proven') notices.stored();
    if (result.outcome === 'unconfirmed') return { outcome: 'unconfirmed', person, setCookie: forgottenCookie(cookie) };
    if (result.outcome === 'locked') return result;
    if (result.outcome === 'ended') return { outcome: 'ended', setCookie: forgottenCookie(cookie) };
    if (result.outcome !== 'proven') return { outcome: result.outcome };
    if (notice !== null) notices.stored();
    return { outcome: 'proven', signedIn: this.proven({ ...signedIn, tokenHash: next.hash }, spend, at), setCookie: sessionCookie(cookie, next.text, remainingSeconds(session, person.role, at)) };
  }

  private proven({ session, person, tokenHash }: SignedIn, spend: ProofSpend | null, at: Instant): SignedIn {
    const raised = spend !== null && raisesAssurance(spend.kind);
    const proven: Session = { ...session, assurance: raised ? 'two-factor' : session.assurance, provenAt: at };
    const enrolled: Person = spend?.kind === 'enrolment' ? { ...person, factors: ['totp', ...person.factors] } : person;
    return { session: proven, person: enrolled, tokenHash, reach: sessionReach(this.parts.secondFactor, enrolled, proven) };
  }

  private async checkPassword({ id }: Person, typed: string): Promise<CheckedCode> {
    const { people, hasher } = this.parts;
    const read = readPassword(typed);
    const stored = (await people.find(id))?.passwordHash ?? null;
    if (read.outcome !== 'read' || stored === null || await hasher.verify(read.password, stored, { kind: 'known', person: id }) === 'wrong') return WRONG;
    return { outcome: 'checked', spend: { kind: 'password', provenHash: stored } };
  }

  private async checkCode(
    { signedIn, at }: ProofAct, totp: TotpRecord | null, { kind, code }: Exclude<FreshProof, { readonly kind: 'password' }>,
  ): Promise<CheckedCode> {
    const { codes } = this.parts;
    if (codes === null) return { outcome: 'unreadable' };
    if (totp === null || totp.confirmedAt === null) return WRONG;
    const checks = new FactorChecks(codes);
    const typed = { personId: signedIn.person.id, sealed: totp.sealed, typed: code, at };
    return kind === 'totp' ? checks.totp(typed) : checks.recovery(typed);
  }
}
