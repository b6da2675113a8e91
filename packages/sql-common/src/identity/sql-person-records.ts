import { type Account, type AuditedBy, type Instant, type PersonId, type TokenHash, TriedLast } from '@tollgate/core';
import type {
  AddressReplacement, AddressReplacementOutcome, Consent, ErasePersonOutcome, MachineLink, MachineLinkRefusal, MailLanguage, MailRepetition, MailStoring, NewPerson, PasswordChange, Person, PersonNames, PersonRecord, PersonRecords, PersonRole, SetRoleOutcome, StoredMail, StoredToken,
  TokenPurpose, TokenRedemption,
} from '@tollgate/identity';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { storableText } from '../schema/storable-text.js';
import type { LeaseClock } from '../script/lease-clock.js';
import { changesOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { auditPerson } from './audit-person.js';
import { readConsents, storeConsents } from './person-consents.js';
import { findPerson, findPersonByEmail, personFromRow, selectPeople } from './person-rows.js';
import { findToken, putMachineLink, putToken, redeemToken } from './person-tokens.js';
import { registerPerson } from './register-person.js';
import { discardUnverified, erasePerson, isLastOperator, removeFactors, unverifiedPeople } from './remove-person.js';
import { replaceAddress } from './replace-address.js';
import { storeMailAgain } from './store-mail-again.js';
import { inviteAgain, vouchFor } from './verify-address.js';

/** Writing scripts run one after another, so no person can change between their reads and their writes. */
export class SqlPersonRecords implements PersonRecords {
  /** People whose removal failed come last. */
  readonly #discardOrder = new TriedLast<PersonId>();

  /** @param clock decides which people have not verified their address in time. */
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner, private readonly clock: LeaseClock) {}

  find(id: PersonId): Promise<PersonRecord | null> {
    return this.runner.read(() => findPerson(this.queries, id));
  }

  findByEmail(email: string): Promise<PersonRecord | null> {
    return this.runner.read(() => findPersonByEmail(this.queries, email));
  }

  async listByRole(role: PersonRole): Promise<readonly Person[]> {
    const oldest = selectPeople(this.queries).where('people.role', '=', role).orderBy('people.created_at').orderBy('people.id');
    return (await this.runner.read(() => rowsOf(oldest))).map(personFromRow);
  }

  register(registration: NewPerson, by: AuditedBy): Promise<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }> {
    return this.runner.write(() => registerPerson(this.queries, registration, by));
  }

  vouch(id: PersonId, account: Account, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => vouchFor(this.queries, id, { account, by }));
  }

  reinvite(id: PersonId, name: string, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => inviteAgain(this.queries, { id, name }, by));
  }

  putToken(token: StoredToken, at: Instant, by?: AuditedBy): Promise<boolean> {
    return this.runner.write(() => putToken(this.queries, token, { at, by }));
  }

  mailAgain(mail: StoredMail, repetition: MailRepetition): Promise<MailStoring | 'too-many' | 'no-person'> {
    return this.runner.write(() => storeMailAgain(this.queries, mail, repetition));
  }

  putMachineLink(link: MachineLink, by: AuditedBy): Promise<'issued' | MachineLinkRefusal> {
    return this.runner.write(() => putMachineLink(this.queries, link, by));
  }

  findToken(hash: TokenHash, purpose: TokenPurpose, at: Instant): Promise<StoredToken | null> {
    return this.runner.read(() => findToken(this.queries, { hash, purpose }, at));
  }

  redeem(redemption: TokenRedemption): Promise<Person | null> {
    return this.runner.write(() => redeemToken(this.queries, redemption));
  }

  changePassword(change: PasswordChange, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.replacePassword(change, by));
  }

  async rehash(id: PersonId, provenHash: string, passwordHash: string): Promise<void> {
    await this.runner.write(() => this.replaceHash(id, provenHash, passwordHash));
  }

  rename(id: PersonId, names: PersonNames, by: AuditedBy): Promise<Person | null> {
    return this.runner.write(() => this.renamePersonAndAccount(id, names, by));
  }

  async setLanguage(id: PersonId, language: MailLanguage): Promise<void> {
    await this.runner.write(() => changesOf(this.queries.updateTable('people').set({ language }).where('id', '=', id)));
  }

  setRole(id: PersonId, role: PersonRole, by: AuditedBy): Promise<SetRoleOutcome> {
    return this.runner.write(() => this.changeRole(id, role, by));
  }

  async discardUnverified(limit: number, by: AuditedBy): Promise<number> {
    const { queries, runner, clock } = this;
    const read = (most: number) => runner.read(() => unverifiedPeople(queries, { clock, limit: most }, by.at));
    let discarded = 0;
    await this.#discardOrder.tryInTurn({ limit, read, idOf: (id) => id }, async (id) => {
      if (await runner.write(() => discardUnverified(queries, { clock, id }, by))) discarded += 1;
    });
    return discarded;
  }

  replaceAddress(replacement: AddressReplacement, by: AuditedBy): Promise<AddressReplacementOutcome> {
    return this.runner.write(() => replaceAddress(this.queries, replacement, by));
  }

  removeFactors(id: PersonId, notice: StoredMail, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => removeFactors(this.queries, { id, notice }, by));
  }

  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome> {
    return this.runner.write(() => this.eraseIfAllowed(id, by));
  }

  consents(id: PersonId): Promise<readonly Consent[]> {
    return this.runner.read(() => readConsents(this.queries, id));
  }

  agree(id: PersonId, versions: readonly Pick<Consent, 'document' | 'version'>[], by: AuditedBy): Promise<void> {
    return this.runner.write(() => storeConsents(this.queries, { id, versions }, by));
  }

  private* replacePassword({ id, provenHash, passwordHash, keep }: PasswordChange, by: AuditedBy): Script<boolean> {
    if ((yield* this.replaceHash(id, provenHash, passwordHash)) === 0) return false;
    yield* changesOf(this.queries.deleteFrom('sessions').where('person_id', '=', id).where('id', '<>', keep));
    yield* changesOf(this.queries.deleteFrom('person_tokens').where('person_id', '=', id));
    yield* auditPerson(this.queries, { action: 'password-changed', id }, by);
    return true;
  }

  private* renamePersonAndAccount(id: PersonId, { name, accountName }: PersonNames, by: AuditedBy): Script<Person | null> {
    const person = (yield* findPerson(this.queries, id))?.person;
    if (person === undefined) return null;
    if (name !== undefined) {
      yield* changesOf(this.queries.updateTable('people').set({ name: storableText(name) }).where('id', '=', id));
      yield* auditPerson(this.queries, { action: 'renamed', id, texts: { name } }, by);
    }
    const { accountId } = person;
    if (accountName !== undefined && accountId !== null) {
      yield* changesOf(this.queries.updateTable('accounts').set({ name: storableText(accountName), updated_at: by.at }).where('id', '=', accountId));
      yield* appendAuditEntry(this.queries, { ...by, action: 'account.changed', subject: accountId, accountId, details: {}, texts: { name: accountName } });
    }
    return { ...person, name: name ?? person.name };
  }

  private* changeRole(id: PersonId, role: PersonRole, by: AuditedBy): Script<SetRoleOutcome> {
    const person = (yield* findPerson(this.queries, id))?.person;
    if (person === undefined) return 'no-such-person';
    if (person.role === role) return 'unchanged';
    if (yield* isLastOperator(this.queries, person)) return 'last-operator';
    yield* changesOf(this.queries.updateTable('people').set({ role }).where('id', '=', id));
    yield* auditPerson(this.queries, { action: 'role-changed', id, details: { role } }, by);
    return 'changed';
  }

  private* eraseIfAllowed(id: PersonId, by: AuditedBy): Script<ErasePersonOutcome> {
    const person = (yield* findPerson(this.queries, id))?.person;
    if (person === undefined) return 'no-such-person';
    if (person.accountId !== null) return 'owns-account';
    if (yield* isLastOperator(this.queries, person)) return 'last-operator';
    yield* erasePerson(this.queries, person, by);
    return 'erased';
  }

  private replaceHash(id: PersonId, provenHash: string, passwordHash: string): Script<number> {
    return changesOf(this.queries.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', id).where('password_hash', '=', provenHash));
  }
}
