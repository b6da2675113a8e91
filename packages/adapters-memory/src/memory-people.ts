import { type PersonVerb, type Account, type AccountId, type AuditedBy, type Instant, later, type PersonId, type TokenHash } from '@tollgate/core';
import {
  type AddressVerified, type ErasePersonOutcome, type IssuerAdmission, mayChangeAddress, type NewPerson, ownAct, type PasswordChange, type Person,
  type PersonNames, type PersonRecord, type PersonRecords, type PersonRole, type SetRoleOutcome, type StoredMail, type StoredToken, type TokenEffect,
  type TokenPurpose, type TokenRedemption, UNVERIFIED_KEPT_MILLISECONDS,
} from '@tollgate/identity';
import { type MemoryPeopleParts, MemoryPersonTraces, type PersonAct, PersonEntries, type PersonEntry, type Redeemed } from './person-entries.js';
import { MemoryPersonTokens } from './memory-sessions.js';

/** People in memory; everything is decided in one synchronous step, so nothing comes between a look and a write. */
export class MemoryPeople implements PersonRecords {
  readonly #people = new PersonEntries();
  readonly #tokens = new MemoryPersonTokens();
  readonly #traces: MemoryPersonTraces;

  constructor(private readonly parts: MemoryPeopleParts) {
    this.#traces = new MemoryPersonTraces(parts, this.#tokens);
    parts.sessions.readPeopleFrom((id) => this.get(id));
  }

  /** Like `find`, for adapters that decide in one synchronous step. */
  get(id: PersonId): PersonRecord | null {
    const entry = this.#people.get(id);
    if (entry === undefined) return null;
    const account = entry.person.accountId === null ? null : this.parts.accounts.get(entry.person.accountId);
    return { ...entry, person: this.#traces.withFactors(entry.person), account: account === null ? null : { status: account.status, blocked: account.blocked } };
  }

  async find(id: PersonId): Promise<PersonRecord | null> {
    return this.get(id);
  }

  async findByEmail(email: string): Promise<PersonRecord | null> {
    return this.getByEmail(email);
  }

  getByEmail(email: string): PersonRecord | null {
    const person = this.#people.byEmail(email);
    return person === null ? null : this.get(person.id);
  }

  async listByRole(role: PersonRole): Promise<readonly Person[]> {
    return this.#people.withRole(role).map((person) => this.#traces.withFactors(person)).toSorted((first, second) => first.createdAt - second.createdAt || (first.id < second.id ? -1 : 1));
  }

  async register(registration: NewPerson, by: AuditedBy): Promise<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }> {
    const existing = this.#people.byEmail(registration.person.email);
    if (existing !== null) return { outcome: 'existing', id: existing.id };
    this.add(registration, by);
    return { outcome: 'created', id: registration.person.id };
  }

  /** A person of whom an issuer has verified the address. */
  registerVerified({ person, ...verified }: NonNullable<IssuerAdmission['newcomer']>, by: AuditedBy): void {
    this.add({ person, passwordHash: null, account: verified.account }, by);
    this.vouchAtOnce(person.id, verified, by);
  }

  async vouch(id: PersonId, account: Account, by: AuditedBy): Promise<boolean> {
    return this.vouchAtOnce(id, { account }, by);
  }

  /** Like `vouch`, for adapters that act in one synchronous step. */
  vouchAtOnce(id: PersonId, verified: AddressVerified, by: AuditedBy): boolean {
    const entry = this.#people.get(id);
    if (entry === undefined || entry.person.emailVerified) return false;
    this.markVerified(this.beginAnew(entry, verified.account.name), verified, by);
    return true;
  }

  async reinvite(id: PersonId, name: string, by: AuditedBy): Promise<boolean> {
    const entry = this.#people.get(id);
    if (entry === undefined || entry.person.emailVerified) return false;
    this.#people.put({ ...this.beginAnew(entry, name), discardAt: later(by.at, UNVERIFIED_KEPT_MILLISECONDS) });
    this.record(by, 'invited-again', id);
    return true;
  }

  /** Removes everything that an earlier sign-up with this address left: password, sessions, factors, links, and the names of person and account. */
  private beginAnew(entry: PersonEntry, name: string): PersonEntry {
    this.#traces.removeByMailbox(entry.person);
    return { ...this.renamed(entry, name), passwordHash: null };
  }

  /** Until the address is verified, a person has the account only that was made with them. `null`: the name stays. */
  private renamed(entry: PersonEntry, name: string | null): PersonEntry {
    if (name === null) return entry;
    if (entry.person.accountId !== null) this.parts.accounts.rewrite(entry.person.accountId, { name });
    return { ...entry, person: { ...entry.person, name } };
  }

  async putToken(token: StoredToken, _at: Instant, by?: AuditedBy): Promise<boolean> {
    if (this.#people.get(token.personId) === undefined) return false;
    this.#tokens.put(token);
    if (by !== undefined) this.record({ ...by, details: { purpose: token.purpose } }, 'link-issued', token.personId);
    return true;
  }

  async findToken(hash: TokenHash, purpose: TokenPurpose, at: Instant): Promise<StoredToken | null> {
    return this.#tokens.live(hash, purpose, at);
  }

  async redeem({ hash, purpose, effect, at, address }: TokenRedemption): Promise<Person | null> {
    const token = this.#tokens.live(hash, purpose, at);
    const entry = token === null ? undefined : this.#people.get(token.personId);
    if (token === null || entry === undefined || !this.hasEffect(effect, { entry, token, by: ownAct(entry.person.id, at, address) })) return null;
    this.#tokens.take(hash);
    return this.#traces.withFactors(this.#people.get(entry.person.id)?.person ?? entry.person);
  }

  async changePassword({ id, provenHash, passwordHash, keep }: PasswordChange, by: AuditedBy): Promise<boolean> {
    if (!this.#people.replaceHash(id, provenHash, passwordHash)) return false;
    this.parts.sessions.remove(id, { allBut: keep });
    this.#tokens.remove(id, null);
    this.record(by, 'password-changed', id);
    return true;
  }

  async rehash(id: PersonId, provenHash: string, passwordHash: string): Promise<void> {
    this.#people.replaceHash(id, provenHash, passwordHash);
  }

  async rename(id: PersonId, { name, accountName }: PersonNames, by: AuditedBy): Promise<Person | null> {
    const entry = this.#people.get(id);
    if (entry === undefined) return null;
    if (name !== undefined) {
      this.change(entry, { name });
      this.record({ ...by, texts: { name } }, 'renamed', id);
    }
    const { accountId } = entry.person;
    if (accountName !== undefined && accountId !== null) await this.parts.accounts.change(accountId, { name: accountName }, by);
    return this.#traces.withFactors({ ...entry.person, name: name ?? entry.person.name });
  }

  async setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome> {
    const entry = this.#people.get(id);
    if (entry === undefined) return 'no-such-person';
    if (entry.person.role === role) return 'unchanged';
    if (this.#people.isLastOperator(entry.person)) return 'last-operator';
    this.change(entry, { role });
    this.record({ ...by, details: { role } }, 'role-changed', id);
    return 'changed';
  }

  async removeFactors(id: PersonId, notice: StoredMail, by: AuditedBy): Promise<boolean> {
    return this.#traces.removeOwnFactors(id, notice, () => this.record(by, 'factors-removed', id));
  }

  async discardUnverified(limit: number, by: AuditedBy): Promise<number> {
    const due = this.#people.pastTheirDate(by.at).slice(0, limit);
    for (const person of due) this.discard(person, by, 'discarded');
    return due.length;
  }

  async erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome> {
    const entry = this.#people.get(id);
    if (entry === undefined) return 'no-such-person';
    if (entry.person.accountId !== null) return 'owns-account';
    if (this.#people.isLastOperator(entry.person)) return 'last-operator';
    this.remove(entry.person, by);
    return 'erased';
  }

  /** The person who owns an account. */
  ownerOf(accountId: AccountId): { readonly owner: Person; readonly isLastOperator: boolean } | null {
    const owner = this.#people.ownerOf(accountId);
    return owner === null ? null : { owner, isLastOperator: this.#people.isLastOperator(owner) };
  }

  /** Removes a person with all that is theirs, in one synchronous step. */
  remove(person: Person, by: AuditedBy, action: 'erased' | 'disowned' | 'discarded' = 'erased'): void {
    this.record(by, action, person.id);
    this.#traces.removeMail(person);
    this.#traces.remove(person.id);
    this.#people.remove(person.id);
    this.parts.audit.eraseTexts([person.id]);
  }

  /** With the account that was made with them, unless it is in use. */
  private discard(person: Person, by: AuditedBy, action: 'disowned' | 'discarded'): void {
    this.remove(person, by, action);
    if (person.accountId !== null && !this.parts.isInUse(person.accountId)) this.parts.accounts.discard(person.accountId, by);
  }

  private add({ person, passwordHash, account }: NewPerson, by: AuditedBy): void {
    const accountId = this.parts.accounts.add(account, by.actor) ? account.id : null;
    this.#people.put({ person: { ...person, accountId }, passwordHash, discardAt: person.emailVerified ? null : later(person.createdAt, UNVERIFIED_KEPT_MILLISECONDS) });
    this.record(by, 'registered', person.id);
  }

  private hasEffect(effect: TokenEffect, { entry, token, by }: Redeemed): boolean {
    switch (effect.kind) {
      case 'verify-email':
        if (entry.passwordHash !== effect.provenHash) return false;
        this.markVerified(entry, effect, by);
        return true;
      case 'set-password':
        this.#traces.removeByMailbox(entry.person);
        this.record(by, 'password-set', entry.person.id);
        this.markVerified({ ...this.renamed(entry, entry.person.emailVerified ? null : effect.name), passwordHash: effect.passwordHash }, effect, by);
        return true;
      case 'change-email': return this.changeEmail(entry, token.newEmail, by);
      case 'disown':
        if (entry.person.emailVerified) return false;
        this.discard(entry.person, by, 'disowned');
        return true;
      case 'none': return true;
    }
  }

  private markVerified(entry: PersonEntry, { account, signupCredit = null }: AddressVerified, by: AuditedBy): void {
    const { person } = entry;
    if (person.emailVerified) return this.#people.put(entry);
    if (person.accountId === null) this.parts.accounts.add(account, by.actor);
    const accountId = person.accountId ?? this.parts.accounts.idByEmail(person.email);
    this.change({ ...entry, discardAt: null }, { emailVerified: true, accountId });
    const isFirst = accountId !== null && this.parts.accounts.verify(accountId);
    this.record(by, 'verified', person.id);
    if (isFirst && signupCredit !== null && person.role !== 'operator') this.parts.signupCredits.book(accountId, signupCredit, by.at);
  }

  private changeEmail(entry: PersonEntry, email: string | null, by: AuditedBy): boolean {
    const { id, accountId } = entry.person;
    if (email === null || accountId === null || !mayChangeAddress(entry.person, this.parts.accounts.get(accountId))) return false;
    if (this.#people.byEmail(email) !== null || this.parts.accounts.idByEmail(email) !== null) return false;
    this.#tokens.remove(id, null);
    this.change(entry, { email });
    this.parts.accounts.rewrite(accountId, { email });
    this.record({ ...by, texts: { from: entry.person.email, to: email } }, 'email-changed', id);
    return true;
  }

  private change(entry: PersonEntry, change: Partial<Person>): void {
    this.#people.put({ ...entry, person: { ...entry.person, ...change } });
  }

  /** Enters an act into the trail, for adapters that act on people. */
  record({ actor, at, details = {}, texts = {} }: PersonAct, action: PersonVerb, subject: PersonId): void {
    const accountId = this.#people.get(subject)?.person.accountId ?? null;
    this.parts.audit.record({ actor, at, action: `person.${action}`, subject, accountId, details, texts });
  }
}
