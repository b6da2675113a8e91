import type { AuditedBy, Instant, PersonId, SessionId, TokenHash } from '@tollgate/core';
import {
  MAX_SESSIONS, needsMailedLink, type NewSession, NO_ATTEMPTS, type PersonRecord, type ProofCommand, type ProvenBy, type Session, type SessionChoice,
  type SessionRecord, type SessionRecords, type StoredToken, type TokenPurpose,
} from '@tollgate/identity';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryFactors } from './memory-factors.js';
import type { MemoryIssuerLinks, MemoryPasskeys } from './memory-passkeys.js';

function isChosen({ id }: Session, which: SessionChoice): boolean {
  if (which === 'all') return true;
  return typeof which === 'string' ? id === which : id !== which.allBut;
}

/** Sessions in memory. */
export class MemorySessions implements SessionRecords {
  readonly #sessions = new Map<TokenHash, Session>();
  readonly #wrongCodes = new Map<SessionId, number>();
  #personOf: (id: PersonId) => PersonRecord | null = () => null;
  #failures: Pick<MemoryFactors, 'attemptsOf' | 'forgetFailures'> | null = null;

  /** Whose sessions these are; given later, since people end sessions too. */
  readPeopleFrom(personOf: (id: PersonId) => PersonRecord | null): void {
    this.#personOf = personOf;
  }

  /** Where failures in a row are counted; given later, since factors end sessions too. */
  countFailuresWith(failures: Pick<MemoryFactors, 'attemptsOf' | 'forgetFailures'>): void {
    this.#failures = failures;
  }

  constructor(private readonly passkeys: MemoryPasskeys, private readonly links: MemoryIssuerLinks, private readonly audit: MemoryAuditTrail) {}

  async begin({ session, tokenHash, provenBy, replaces, forgets }: NewSession): Promise<boolean> {
    const record = this.#personOf(session.personId);
    if (record === null || !this.holds(record, provenBy)) return false;
    for (const before of replaces) this.#sessions.delete(before);
    const surplus = this.newestFirst(session.personId).slice(MAX_SESSIONS - 1);
    for (const { id } of surplus) this.remove(session.personId, id);
    this.#sessions.set(tokenHash, session);
    if (forgets !== null) this.#failures?.forgetFailures({ personId: session.personId, browser: forgets });
    return true;
  }

  async find(tokenHash: TokenHash): Promise<SessionRecord | null> {
    const session = this.#sessions.get(tokenHash);
    const record = session === undefined ? null : this.#personOf(session.personId);
    return session === undefined || record === null ? null : { session, record };
  }

  async noteUse(id: SessionId, at: Instant, address: string): Promise<void> {
    for (const [hash, session] of this.#sessions) {
      if (session.id === id && session.lastUsedAt < at) this.#sessions.set(hash, { ...session, lastUsedAt: at, address });
    }
  }

  async list(personId: PersonId): Promise<readonly Session[]> {
    return this.newestFirst(personId);
  }

  async end(personId: PersonId, which: SessionChoice, by?: AuditedBy): Promise<number> {
    const sessions = this.remove(personId, which);
    const accountId = this.#personOf(personId)?.person.accountId ?? null;
    if (by !== undefined && sessions > 0) this.audit.record({ ...by, action: 'person.sessions-ended', subject: personId, accountId, details: { sessions } });
    return sessions;
  }

  /** Like `end`, for adapters that decide in one synchronous step. */
  remove(personId: PersonId, which: SessionChoice): number {
    const ended = [...this.#sessions].filter(([, session]) => session.personId === personId && isChosen(session, which));
    for (const [hash, { id }] of ended) {
      this.#sessions.delete(hash);
      this.#wrongCodes.delete(id);
    }
    return ended.length;
  }

  private holds({ person, passwordHash }: PersonRecord, proven: ProvenBy): boolean {
    switch (proven.kind) {
      case 'password': return passwordHash === proven.hash
        && !needsMailedLink(proven.browser, this.#failures?.attemptsOf({ personId: person.id, browser: proven.browser }) ?? NO_ATTEMPTS);
      case 'passkey': return this.passkeys.has(proven.id);
      case 'issuer': return this.links.personOf(proven.subject) === person.id;
      case 'link': return true;
    }
  }

  /** Whether this session has this token. */
  hasToken({ sessionId, personId, tokenHash }: Pick<ProofCommand, 'sessionId' | 'personId' | 'tokenHash'>): boolean {
    const session = this.#sessions.get(tokenHash);
    return session !== undefined && session.id === sessionId && session.personId === personId;
  }

  /** After a proof: the session with a new token. */
  renew({ tokenHash, nextTokenHash }: Pick<ProofCommand, 'tokenHash' | 'nextTokenHash'>, proven: Partial<Session>): void {
    const session = this.#sessions.get(tokenHash);
    if (session === undefined) return;
    this.#sessions.delete(tokenHash);
    this.#sessions.set(nextTokenHash, { ...session, ...proven });
  }

  forgetWrongCodes(id: SessionId): void {
    this.#wrongCodes.delete(id);
  }

  /** How many wrong codes were tried in the session. */
  noteWrongCode(id: SessionId): number {
    const wrong = (this.#wrongCodes.get(id) ?? 0) + 1;
    this.#wrongCodes.set(id, wrong);
    return wrong;
  }

  /** A person's sessions count as having proved one thing only. */
  lower(personId: PersonId): void {
    for (const [hash, session] of this.#sessions) {
      if (session.personId === personId && session.assurance === 'two-factor') this.#sessions.set(hash, { ...session, assurance: 'factor-removed' });
    }
  }

  private newestFirst(personId: PersonId): readonly Session[] {
    return [...this.#sessions.values()].filter((session) => session.personId === personId)
      .toSorted((first, second) => second.lastUsedAt - first.lastUsedAt || (first.id < second.id ? -1 : 1));
  }
}

/** Single-use tokens in memory. */
export class MemoryPersonTokens {
  readonly #tokens = new Map<TokenHash, StoredToken>();

  /** Replaces the person's earlier one for the same purpose. */
  put(token: StoredToken): void {
    this.remove(token.personId, token.purpose);
    this.#tokens.set(token.hash, token);
  }

  live(hash: TokenHash, purpose: TokenPurpose, at: Instant): StoredToken | null {
    const token = this.#tokens.get(hash);
    return token === undefined || token.purpose !== purpose || token.expiresAt <= at ? null : token;
  }

  take(hash: TokenHash): void {
    this.#tokens.delete(hash);
  }

  /** `null` for every purpose. */
  remove(id: PersonId, purpose: TokenPurpose | null): void {
    for (const token of this.#tokens.values()) {
      if (token.personId === id && (purpose === null || token.purpose === purpose)) this.#tokens.delete(token.hash);
    }
  }
}
