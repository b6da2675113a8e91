import {
  type Account, type AccountId, erasedEmail, type ErasePersonOutcome, GATEWAY_ORIGIN, type Instant, type NewPerson, type PasswordChange, type Person,
  type AuditedBy, type PersonId, type PersonRecord, type PersonRecords, type PersonRole, type SetRoleOutcome, type StoredToken, type TokenEffect,
  type TokenHash, type TokenPurpose, type TokenRedemption,
} from '@tollgate/core';
import type { MemoryAccounts } from '../accounts/memory-accounts.js';
import type { MemoryAuditTrail } from '../audit/memory-audit-trail.js';
import type { MemoryKeys } from '../keys/memory-keys.js';
import type { MemoryMailOutbox } from '../mail/memory-mail-outbox.js';
import type { MemorySessions } from './memory-sessions.js';

/** What is kept of a person besides their sessions. */
export interface PersonEntry {
  readonly person: Person;
  readonly passwordHash: string | null;
}

export interface MemoryPeopleParts {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly sessions: MemorySessions;
  readonly mail: MemoryMailOutbox;
  readonly audit: MemoryAuditTrail;
}

/** What an effect works on. */
interface Redeemed {
  readonly entry: PersonEntry;
  readonly token: StoredToken;
  readonly by: AuditedBy;
}

/** People in memory; everything is decided in one synchronous step, so nothing comes between a look and a write. */
export class MemoryPeople implements PersonRecords {
  readonly #people = new Map<PersonId, PersonEntry>();
  readonly #tokens = new Map<TokenHash, StoredToken>();

  constructor(private readonly parts: MemoryPeopleParts) {
    parts.sessions.readPeopleFrom((id) => this.get(id));
  }

  /** Like `find`, for adapters that decide in one synchronous step. */
  get(id: PersonId): PersonRecord | null {
    const entry = this.#people.get(id);
    if (entry === undefined) return null;
    const account = entry.person.accountId === null ? null : this.parts.accounts.get(entry.person.accountId);
    return { ...entry, account: account === null ? null : { status: account.status, blocked: account.blocked } };
  }

  async find(id: PersonId): Promise<PersonRecord | null> {
    return this.get(id);
  }

  async findByEmail(email: string): Promise<PersonRecord | null> {
    const person = this.byEmail(email);
    return person === null ? null : this.get(person.id);
  }

  async listByRole(role: PersonRole): Promise<readonly Person[]> {
    return this.withRole(role).toSorted((first, second) => first.createdAt - second.createdAt || (first.id < second.id ? -1 : 1));
  }

  async register({ person, passwordHash, account }: NewPerson, by: AuditedBy): Promise<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }> {
    const existing = this.byEmail(person.email);
    if (existing !== null) return { outcome: 'existing', id: existing.id };
    const accountId = this.parts.accounts.add(account, by.actor) ? account.id : null;
    this.#people.set(person.id, { person: { ...person, accountId }, passwordHash });
    this.record(by, 'registered', person.id);
    return { outcome: 'created', id: person.id };
  }

  async vouch(id: PersonId, account: Account, by: AuditedBy): Promise<boolean> {
    const entry = this.#people.get(id);
    if (entry === undefined || entry.person.emailVerified) return false;
    this.removeTraces(id);
    this.markVerified({ ...entry, passwordHash: null }, account, by);
    return true;
  }

  async putToken(token: StoredToken, _at: Instant, by?: AuditedBy): Promise<boolean> {
    if (!this.#people.has(token.personId)) return false;
    this.removeTokens(token.personId, token.purpose);
    this.#tokens.set(token.hash, token);
    if (by !== undefined) this.record(by, 'link-issued', token.personId);
    return true;
  }

  async findToken(hash: TokenHash, purpose: TokenPurpose, at: Instant): Promise<StoredToken | null> {
    return this.liveToken(hash, purpose, at);
  }

  async redeem({ hash, purpose, effect, at }: TokenRedemption): Promise<Person | null> {
    const token = this.liveToken(hash, purpose, at);
    const entry = token === null ? undefined : this.#people.get(token.personId);
    if (token === null || entry === undefined) return null;
    const by: AuditedBy = { actor: { kind: 'owner', id: entry.person.id, origin: GATEWAY_ORIGIN }, at };
    if (!this.hasEffect(effect, { entry, token, by })) return null;
    this.#tokens.delete(hash);
    return this.#people.get(entry.person.id)?.person ?? entry.person;
  }

  async changePassword({ id, provenHash, passwordHash, keep }: PasswordChange, by: AuditedBy): Promise<boolean> {
    if (!this.replaceHash(id, provenHash, passwordHash)) return false;
    this.parts.sessions.remove(id, { allBut: keep });
    this.removeTokens(id, null);
    this.record(by, 'password-changed', id);
    return true;
  }

  async rehash(id: PersonId, provenHash: string, passwordHash: string): Promise<void> {
    this.replaceHash(id, provenHash, passwordHash);
  }

  async setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome> {
    const entry = this.#people.get(id);
    if (entry === undefined) return 'no-such-person';
    if (entry.person.role === role) return 'unchanged';
    if (this.isLastOperator(entry.person)) return 'last-operator';
    this.change(entry, { role });
    this.record(by, 'role-changed', id);
    return 'changed';
  }

  async erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome> {
    const entry = this.#people.get(id);
    if (entry === undefined) return 'no-such-person';
    if (this.isLastOperator(entry.person)) return 'last-operator';
    this.removePerson(entry.person);
    const { accountId } = entry.person;
    if (accountId !== null) this.eraseAccount(accountId);
    this.record(by, 'erased', id);
    return 'erased';
  }

  private hasEffect(effect: TokenEffect, { entry, token, by }: Redeemed): boolean {
    switch (effect.kind) {
      case 'verify-email':
        if (entry.passwordHash !== effect.provenHash) return false;
        this.markVerified(entry, effect.account, by);
        return true;
      case 'set-password':
        this.removeTraces(entry.person.id);
        this.record(by, 'password-set', entry.person.id);
        this.markVerified({ ...entry, passwordHash: effect.passwordHash }, effect.account, by);
        return true;
      case 'change-email': return this.changeEmail(entry, token.newEmail, by);
      case 'disown':
        if (entry.person.emailVerified) return false;
        this.removePerson(entry.person);
        this.record(by, 'disowned', entry.person.id);
        return true;
      case 'none': return true;
    }
  }

  private markVerified(entry: PersonEntry, account: Account, by: AuditedBy): void {
    const { person } = entry;
    if (person.emailVerified) {
      this.#people.set(person.id, entry);
      return;
    }
    if (person.accountId === null) this.parts.accounts.add(account, by.actor);
    const accountId = person.accountId ?? this.parts.accounts.idByEmail(person.email);
    this.change(entry, { emailVerified: true, accountId });
    if (accountId !== null) this.parts.accounts.rewrite(accountId, { emailVerified: true });
    this.record(by, 'verified', person.id);
  }

  private changeEmail(entry: PersonEntry, email: string | null, by: AuditedBy): boolean {
    const { id, accountId, emailVerified } = entry.person;
    if (email === null || !emailVerified || accountId === null) return false;
    if (this.byEmail(email) !== null || this.parts.accounts.idByEmail(email) !== null) return false;
    this.removeTokens(id, null);
    this.change(entry, { email });
    this.parts.accounts.rewrite(accountId, { email });
    this.record(by, 'email-changed', id);
    return true;
  }

  private eraseAccount(id: AccountId): void {
    this.parts.accounts.rewrite(id, { email: erasedEmail(id), name: '' });
    this.parts.keys.removeNames(id);
  }

  private change(entry: PersonEntry, change: Partial<Person>): void {
    this.#people.set(entry.person.id, { ...entry, person: { ...entry.person, ...change } });
  }

  private replaceHash(id: PersonId, provenHash: string, passwordHash: string): boolean {
    const entry = this.#people.get(id);
    if (entry === undefined || entry.passwordHash !== provenHash) return false;
    this.#people.set(id, { ...entry, passwordHash });
    return true;
  }

  private removePerson({ id, email }: Person): void {
    this.removeTraces(id);
    this.parts.mail.removeTo(email);
    this.#people.delete(id);
  }

  private removeTraces(id: PersonId): void {
    this.parts.sessions.remove(id, 'all');
    this.removeTokens(id, null);
  }

  /** `null` for every purpose. */
  private removeTokens(id: PersonId, purpose: TokenPurpose | null): void {
    for (const token of this.#tokens.values()) {
      if (token.personId === id && (purpose === null || token.purpose === purpose)) this.#tokens.delete(token.hash);
    }
  }

  private liveToken(hash: TokenHash, purpose: TokenPurpose, at: Instant): StoredToken | null {
    const token = this.#tokens.get(hash);
    return token === undefined || token.purpose !== purpose || token.expiresAt <= at ? null : token;
  }

  private byEmail(email: string): Person | null {
    return [...this.#people.values()].find(({ person }) => person.email === email)?.person ?? null;
  }

  private withRole(role: PersonRole): readonly Person[] {
    return [...this.#people.values()].map(({ person }) => person).filter((person) => person.role === role);
  }

  private isLastOperator({ role }: Person): boolean {
    return role === 'operator' && this.withRole('operator').length === 1;
  }

  private record({ actor, at }: AuditedBy, action: string, subject: PersonId): void {
    this.parts.audit.record({ actor, at, action: `person.${action}`, subject });
  }
}
