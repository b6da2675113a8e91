import type { AuditedBy, CodeHash, Instant, PersonId, TokenHash } from '@tollgate/core';
import {
  afterWrongPassword, afterWrongProof, type AnsweredChallenge, type BeginTotp, endsUnconfirmed, type Factor, type FactorRecords, type FactorState,
  forgetsWrongProofs, isOvertaken, lockOf, NO_ATTEMPTS, noticeOfFailure, type PersonRecord, type ProofAttempts, type ProofCommand, type ProofResult,
  type ProofSpend, raisesAssurance, type RemoveTotp, type ReplaceRecoveryCodes, type StoredMail, type TotpRecord, WRONG_CODES_PER_SESSION,
  type WrongPassword,
} from '@tollgate/identity';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryMailOutbox } from './memory-mail-outbox.js';
import type { MemorySessions } from './memory-sessions.js';

export interface MemoryFactorsParts {
  readonly sessions: MemorySessions;
  readonly mail: MemoryMailOutbox;
  readonly audit: MemoryAuditTrail;
}

interface TotpEntry {
  readonly record: TotpRecord;
  /** The newest time step of which a code was taken. */
  readonly lastStep: number | null;
  readonly codes: ReadonlySet<CodeHash>;
}

type FactorEvent = 'totp-added' | 'totp-removed' | 'recovery-codes-renewed' | 'recovery-code-used';

/** Second factors in memory; everything is decided in one synchronous step. */
export class MemoryFactors implements FactorRecords {
  readonly #totps = new Map<PersonId, TotpEntry>();
  readonly #attempts = { known: new Map<PersonId, ProofAttempts>(), unknown: new Map<PersonId, ProofAttempts>() };
  #personOf: (id: PersonId) => PersonRecord | null = () => null;

  constructor(private readonly parts: MemoryFactorsParts) {
    parts.sessions.countFailuresWith(this);
  }

  /** Whose factors these are; given later, since people remove factors too. */
  readPeopleFrom(personOf: (id: PersonId) => PersonRecord | null): void {
    this.#personOf = personOf;
  }

  kindsOf(personId: PersonId): readonly Factor[] {
    return this.confirmed(personId) === null ? [] : ['totp'];
  }

  async find(personId: PersonId): Promise<FactorState> {
    const entry = this.#totps.get(personId);
    return { totp: entry?.record ?? null, recoveryCodesLeft: entry?.codes.size ?? 0, attempts: { known: this.attemptsOf({ personId, browser: 'known' }), unknown: this.attemptsOf({ personId, browser: 'unknown' }) } };
  }

  async beginTotp({ personId, sealed, at }: BeginTotp): Promise<boolean> {
    if (this.#personOf(personId) === null || this.confirmed(personId) !== null) return false;
    this.#totps.set(personId, { record: { sealed, begunAt: at, confirmedAt: null }, lastStep: null, codes: new Set() });
    return true;
  }

  async prove(command: ProofCommand, by: AuditedBy): Promise<ProofResult> {
    const { personId, spend, notice } = command;
    if (!this.parts.sessions.hasToken(command)) return { outcome: 'not-signed-in' };
    const attempts = this.attemptsOf(command);
    if (endsUnconfirmed(command, attempts)) {
      this.parts.sessions.remove(personId, command.sessionId);
      return { outcome: 'unconfirmed' };
    }
    const until = lockOf(attempts, by.at);
    if (until !== null) return { outcome: 'locked', until };
    if (spend === null || !this.isSpent(personId, spend, by)) return isOvertaken(spend) ? { outcome: 'refused' } : this.countWrong(command, by);
    if (forgetsWrongProofs(command)) {
      this.#attempts[command.browser].delete(personId);
      if (command.browser === 'known') this.tellAgain(personId);
      this.parts.sessions.forgetWrongCodes(command.sessionId);
    }
    this.parts.sessions.renew(command, { ...raisesAssurance(spend.kind) && { assurance: 'two-factor' }, provenAt: by.at });
    if (notice !== null) void this.parts.mail.store(notice);
    return { outcome: 'proven' };
  }

  async noteWrongPassword(wrong: WrongPassword): Promise<void> {
    if (this.#personOf(wrong.personId) !== null) this.count(wrong, afterWrongPassword);
  }

  /** What went wrong for a person since the last right proof. */
  attemptsOf({ personId, browser }: Pick<WrongPassword, 'personId' | 'browser'>): ProofAttempts {
    return this.#attempts[browser].get(personId) ?? NO_ATTEMPTS;
  }

  /** After a sign-in that left nothing to prove. Wrong proofs in sessions still count. */
  forgetFailures({ personId, browser }: Pick<WrongPassword, 'personId' | 'browser'>): void {
    const attempts = this.#attempts[browser].get(personId);
    if (attempts !== undefined) this.#attempts[browser].set(personId, { ...attempts, failures: 0, lastNotice: null });
    if (browser === 'known') this.tellAgain(personId);
  }

  async replaceRecoveryCodes({ personId, sealed, codeHashes, notice }: ReplaceRecoveryCodes, by: AuditedBy): Promise<boolean> {
    const entry = this.confirmed(personId);
    if (entry === null || entry.record.sealed !== sealed) return false;
    this.#totps.set(personId, { ...entry, codes: new Set(codeHashes) });
    this.tell('recovery-codes-renewed', { personId, notice }, by);
    return true;
  }

  async removeTotp({ personId, notice }: RemoveTotp, by: AuditedBy): Promise<boolean> {
    if (this.confirmed(personId) === null) return false;
    this.#totps.delete(personId);
    if (this.#personOf(personId)?.person.factors.length === 0) this.parts.sessions.lower(personId);
    this.tell('totp-removed', { personId, notice }, by);
    return true;
  }

  /** Everything of a person, for a reset or an erasure. */
  remove(personId: PersonId): void {
    this.#totps.delete(personId);
    for (const attempts of Object.values(this.#attempts)) attempts.delete(personId);
  }

  /** An app that was begun and not proved. */
  removeBegun(personId: PersonId): void {
    if (this.confirmed(personId) === null) this.#totps.delete(personId);
  }

  private isSpent(personId: PersonId, spend: ProofSpend, by: AuditedBy): boolean {
    switch (spend.kind) {
      case 'password': return this.#personOf(personId)?.passwordHash === spend.provenHash;
      case 'totp': return this.spendTotp(personId, spend);
      case 'recovery': return this.spendRecoveryCode(personId, spend.codeHash, by);
      case 'enrolment': return this.confirm(personId, spend, by);
    }
  }

  private spendTotp(personId: PersonId, { sealed, step, resealed }: Extract<ProofSpend, { readonly kind: 'totp' }>): boolean {
    const entry = this.confirmed(personId);
    if (entry === null || entry.record.sealed !== sealed || (entry.lastStep !== null && entry.lastStep >= step)) return false;
    this.#totps.set(personId, { ...entry, record: { ...entry.record, sealed: resealed ?? sealed }, lastStep: step });
    return true;
  }

  private spendRecoveryCode(personId: PersonId, codeHash: CodeHash, by: AuditedBy): boolean {
    const entry = this.confirmed(personId);
    if (entry === null || !entry.codes.has(codeHash)) return false;
    this.#totps.set(personId, { ...entry, codes: new Set([...entry.codes].filter((code) => code !== codeHash)) });
    this.record('recovery-code-used', personId, by);
    return true;
  }

  private confirm(personId: PersonId, { sealed, step, codeHashes }: Extract<ProofSpend, { readonly kind: 'enrolment' }>, by: AuditedBy): boolean {
    const entry = this.#totps.get(personId);
    if (entry === undefined || entry.record.confirmedAt !== null || entry.record.sealed !== sealed) return false;
    this.#totps.set(personId, { record: { ...entry.record, confirmedAt: by.at }, lastStep: step, codes: new Set(codeHashes) });
    this.record('totp-added', personId, by);
    return true;
  }

  private countWrong(command: ProofCommand, { at }: AuditedBy): ProofResult {
    const { personId, sessionId, wrongEndsSession } = command;
    const attempts = this.count(command, (before) => afterWrongProof(before, at));
    const wrong = this.parts.sessions.noteWrongCode(sessionId);
    if (wrongEndsSession && wrong >= WRONG_CODES_PER_SESSION) {
      this.parts.sessions.remove(personId, sessionId);
      return { outcome: 'ended' };
    }
    const until = lockOf(attempts, at);
    return until === null ? { outcome: 'refused' } : { outcome: 'locked', until };
  }

  private count({ personId, browser, warnings }: WrongPassword, next: (before: ProofAttempts) => ProofAttempts): ProofAttempts {
    const before = this.attemptsOf({ personId, browser });
    const after = next(before);
    const notice = noticeOfFailure(before, after);
    this.#attempts[browser].set(personId, { ...after, lastNotice: notice ?? after.lastNotice });
    if (notice !== null) void this.parts.mail.store(warnings[notice]);
    return after;
  }

  /** After a successful proof in a known browser, failures in unknown ones are reported again. */
  private tellAgain(personId: PersonId): void {
    const attempts = this.#attempts.unknown.get(personId);
    if (attempts !== undefined) this.#attempts.unknown.set(personId, { ...attempts, lastNotice: null });
  }

  private confirmed(personId: PersonId): TotpEntry | null {
    const entry = this.#totps.get(personId);
    return entry === undefined || entry.record.confirmedAt === null ? null : entry;
  }

  private tell(event: FactorEvent, { personId, notice }: { readonly personId: PersonId; readonly notice: StoredMail }, by: AuditedBy): void {
    this.record(event, personId, by);
    void this.parts.mail.store(notice);
  }

  private record(event: FactorEvent, subject: PersonId, { actor, at }: AuditedBy): void {
    const accountId = this.#personOf(subject)?.person.accountId ?? null;
    this.parts.audit.record({ actor, at, action: `person.${event}`, subject, accountId, details: {} });
  }
}

/** Challenges that were answered rightly, until they would have expired. */
export class MemoryChallenges {
  readonly #taken = new Map<TokenHash, Instant>();

  /** `true` for the first to take it. */
  take({ hash, expiresAt }: AnsweredChallenge, at: Instant): boolean {
    for (const [taken, end] of this.#taken) {
      if (end <= at) this.#taken.delete(taken);
    }
    if (this.#taken.has(hash)) return false;
    this.#taken.set(hash, expiresAt);
    return true;
  }
}
