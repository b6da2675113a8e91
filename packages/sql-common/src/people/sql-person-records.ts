import type { Account, AuditedBy, Instant, PersonId, TokenHash } from '@tollgate/core';
import type {
  ErasePersonOutcome, NewPerson, PasswordChange, Person, PersonNames, PersonRecord, PersonRecords, PersonRole, SetRoleOutcome, StoredMail, StoredToken,
  TokenPurpose, TokenRedemption,
} from '@tollgate/identity';
import { accountToRow } from '../accounts/account-rows.js';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import type { LeaseClock } from '../script/lease-clock.js';
import { storableText } from '../schema/columns.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script, type ScriptRunner } from '../script/script.js';
import { auditPerson } from './audit-person.js';
import { discardUnverified, erasePerson, isLastOperator, removeFactors } from './person-scripts.js';
import { personFromRow, personToRow, recordFromRow, selectPeople } from './person-rows.js';
import { TokenScripts } from './token-scripts.js';

/** Transactions over people, for any SQL database. Serializable, so what they look at cannot change before they write. */
export class PersonScripts {
  constructor(private readonly queries: Queries) {}

  * byId(id: PersonId): Script<PersonRecord | null> {
    const row = yield* firstOf(selectPeople(this.queries).where('people.id', '=', id));
    return row === null ? null : recordFromRow(row);
  }

  * byEmail(email: string): Script<PersonRecord | null> {
    const row = yield* firstOf(selectPeople(this.queries).where('people.email', '=', storableText(email)));
    return row === null ? null : recordFromRow(row);
  }

  * byRole(role: PersonRole): Script<readonly Person[]> {
    const rows = yield* rowsOf(selectPeople(this.queries).where('people.role', '=', role).orderBy('people.created_at').orderBy('people.id'));
    return rows.map(personFromRow);
  }

  /** An account that is there already stays as it is, and belongs to the person who verifies its address. */
  * register({ person, passwordHash, account }: NewPerson, by: AuditedBy): Script<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }> {
    const existing = yield* this.byEmail(person.email);
    if (existing !== null) return { outcome: 'existing', id: existing.person.id };
    const { email_folded: folded, ...row } = accountToRow(account);
    const taken = yield* firstOf(this.queries.selectFrom('accounts').select('id').where('email_folded', '=', folded));
    if (taken === null) {
      yield* changesOf(this.queries.insertInto('accounts').values({ ...row, email_folded: folded }));
      const details = { planId: account.planId, status: account.status, emailVerified: account.emailVerified };
      yield* appendAuditEntry(this.queries, { ...by, action: 'account.created', subject: account.id, accountId: account.id, details });
    }
    const accountId = taken === null ? account.id : null;
    yield* changesOf(this.queries.insertInto('people').values(personToRow({ ...person, accountId }, passwordHash)));
    yield* auditPerson(this.queries, { action: 'registered', id: person.id }, by);
    return { outcome: 'created', id: person.id };
  }

  * changePassword({ id, provenHash, passwordHash, keep }: PasswordChange, by: AuditedBy): Script<boolean> {
    if ((yield* this.replaceHash(id, provenHash, passwordHash)) === 0) return false;
    yield* changesOf(this.queries.deleteFrom('sessions').where('person_id', '=', id).where('id', '<>', keep));
    yield* changesOf(this.queries.deleteFrom('person_tokens').where('person_id', '=', id));
    yield* auditPerson(this.queries, { action: 'password-changed', id }, by);
    return true;
  }

  replaceHash(id: PersonId, provenHash: string, passwordHash: string): Script<number> {
    return changesOf(this.queries.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', id).where('password_hash', '=', provenHash));
  }

  * rename(id: PersonId, { name, accountName }: PersonNames, by: AuditedBy): Script<Person | null> {
    const person = (yield* this.byId(id))?.person;
    if (person === undefined) return null;
    if (name !== undefined) {
      yield* changesOf(this.queries.updateTable('people').set({ name: storableText(name) }).where('id', '=', id));
      yield* auditPerson(this.queries, { action: 'renamed', id, texts: { name } }, by);
    }
    const { accountId } = person;
    if (accountName !== undefined && accountId !== null) {
      yield* changesOf(this.queries.updateTable('accounts').set({ name: storableText(accountName) }).where('id', '=', accountId));
      yield* appendAuditEntry(this.queries, { ...by, action: 'account.changed', subject: accountId, accountId, details: {}, texts: { name: accountName } });
    }
    return { ...person, name: name ?? person.name };
  }

  * setRole(id: PersonId, role: PersonRole, by: AuditedBy): Script<SetRoleOutcome> {
    const person = (yield* this.byId(id))?.person;
    if (person === undefined) return 'no-such-person';
    if (person.role === role) return 'unchanged';
    if (yield* isLastOperator(this.queries, person)) return 'last-operator';
    yield* changesOf(this.queries.updateTable('people').set({ role }).where('id', '=', id));
    yield* auditPerson(this.queries, { action: 'role-changed', id, details: { role } }, by);
    return 'changed';
  }

  * erase(id: PersonId, by: AuditedBy): Script<ErasePersonOutcome> {
    const person = (yield* this.byId(id))?.person;
    if (person === undefined) return 'no-such-person';
    if (person.accountId !== null) return 'owns-account';
    if (yield* isLastOperator(this.queries, person)) return 'last-operator';
    yield* erasePerson(this.queries, person, by);
    return 'erased';
  }
}

/** People in any SQL database. */
export class SqlPersonRecords implements PersonRecords {
  private readonly people: PersonScripts;
  private readonly tokens: TokenScripts;

  /** @param clock judges who is discarded. */
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner, private readonly clock: LeaseClock) {
    this.people = new PersonScripts(queries);
    this.tokens = new TokenScripts(queries, this.people);
  }

  find(id: PersonId): Promise<PersonRecord | null> {
    return this.runner.read(() => this.people.byId(id));
  }

  findByEmail(email: string): Promise<PersonRecord | null> {
    return this.runner.read(() => this.people.byEmail(email));
  }

  listByRole(role: PersonRole): Promise<readonly Person[]> {
    return this.runner.read(() => this.people.byRole(role));
  }

  register(registration: NewPerson, by: AuditedBy): Promise<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }> {
    return this.runner.write(() => this.people.register(registration, by));
  }

  vouch(id: PersonId, account: Account, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.tokens.vouch(id, { account }, by));
  }

  reinvite(id: PersonId, name: string, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.tokens.reinvite(id, name, by));
  }

  putToken(token: StoredToken, at: Instant, by?: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.tokens.put(token, at, by));
  }

  findToken(hash: TokenHash, purpose: TokenPurpose, at: Instant): Promise<StoredToken | null> {
    return this.runner.read(() => this.tokens.find(hash, purpose, at));
  }

  redeem(redemption: TokenRedemption): Promise<Person | null> {
    return this.runner.write(() => this.tokens.redeem(redemption));
  }

  changePassword(change: PasswordChange, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.people.changePassword(change, by));
  }

  async rehash(id: PersonId, provenHash: string, passwordHash: string): Promise<void> {
    await this.runner.write(() => this.people.replaceHash(id, provenHash, passwordHash));
  }

  rename(id: PersonId, names: PersonNames, by: AuditedBy): Promise<Person | null> {
    return this.runner.write(() => this.people.rename(id, names, by));
  }

  setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome> {
    return this.runner.write(() => this.people.setRole(id, role, by));
  }

  discardUnverified(limit: number, by: AuditedBy): Promise<number> {
    return this.runner.write(() => discardUnverified(this.queries, { clock: this.clock, limit }, by));
  }

  removeFactors(id: PersonId, notice: StoredMail, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => removeFactors(this.queries, { id, notice }, by));
  }

  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome> {
    return this.runner.write(() => this.people.erase(id, by));
  }
}
