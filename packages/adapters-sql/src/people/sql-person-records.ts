import type {
  Account, ErasePersonOutcome, Instant, NewPerson, PasswordChange, Person, AuditedBy, PersonId, PersonNames, PersonRecord, PersonRecords, PersonRole, SetRoleOutcome, StoredToken, TokenHash,
  TokenPurpose, TokenRedemption,
} from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { PersonScripts } from './person-scripts.js';
import { TokenScripts } from './token-scripts.js';
import { discardUnverified } from './unverified-scripts.js';

/** People in any SQL database. */
export class SqlPersonRecords implements PersonRecords {
  private readonly people: PersonScripts;
  private readonly tokens: TokenScripts;

  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {
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
    return this.runner.write(() => discardUnverified(this.queries, limit, by));
  }

  erase(id: PersonId, by: AuditedBy): Promise<ErasePersonOutcome> {
    return this.runner.write(() => this.people.erase(id, by));
  }
}
