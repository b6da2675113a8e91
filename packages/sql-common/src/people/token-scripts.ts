import { type Account, type AccountId, type AuditedBy, type Instant, later, MILLISECONDS_PER_DAY, type PersonId, type TokenHash } from '@tollgate/core';
import {
  type AddressVerified, mayChangeAddress, ownAct, type Person, type PersonRecord, type StoredToken, type TokenEffect, type TokenPurpose,
  type TokenRedemption, UNVERIFIED_KEPT_MILLISECONDS,
} from '@tollgate/identity';
import { accountToRow, foldedEmail } from '../accounts/account-rows.js';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { PERSON_TOKEN_COLUMNS } from '../schema/column-lists.js';
import { flagToColumn, instantFromColumn, storableText } from '../schema/columns.js';
import { changesOf, firstOf, type Queries, type Script } from '../script/script.js';
import { auditPerson } from './audit-person.js';
import { discardPerson, removeTracesByMailbox } from './person-scripts.js';
import { bookSignupCredit } from './signup-credit-scripts.js';
import type { PersonScripts } from './sql-person-records.js';

/** What an effect works on. */
interface Redeemed {
  readonly record: PersonRecord;
  readonly token: StoredToken;
  readonly by: AuditedBy;
}

const VERIFIED = flagToColumn(true);

/** Long enough that no gateway whose clock is ahead removes what has not expired. */
const EXPIRED_KEPT_MILLISECONDS = MILLISECONDS_PER_DAY;

/** Transactions over single-use tokens, for any SQL database. */
export class TokenScripts {
  constructor(private readonly queries: Queries, private readonly people: PersonScripts) {}

  * put({ hash, personId, purpose, newEmail, expiresAt }: StoredToken, at: Instant, by?: AuditedBy): Script<boolean> {
    if ((yield* this.people.byId(personId)) === null) return false;
    yield* changesOf(this.queries.deleteFrom('person_tokens')
      .where((token) => token.or([token('expires_at', '<=', BigInt(later(at, -EXPIRED_KEPT_MILLISECONDS))), token.and({ person_id: personId, purpose })])));
    const newEmailColumn = newEmail === null ? null : storableText(newEmail);
    yield* changesOf(this.queries.insertInto('person_tokens').values({ hash, person_id: personId, purpose, new_email: newEmailColumn, expires_at: expiresAt }));
    if (by !== undefined) yield* auditPerson(this.queries, { action: 'link-issued', id: personId, details: { purpose } }, by);
    return true;
  }

  * vouch(id: PersonId, verified: AddressVerified, by: AuditedBy): Script<boolean> {
    const person = (yield* this.people.byId(id))?.person;
    if (person === undefined || person.emailVerified) return false;
    yield* this.beginAnew(person, verified.account.name);
    yield* this.markVerified(person, verified, by);
    return true;
  }

  * reinvite(id: PersonId, name: string, by: AuditedBy): Script<boolean> {
    const person = (yield* this.people.byId(id))?.person;
    if (person === undefined || person.emailVerified) return false;
    yield* this.beginAnew(person, name);
    const discardAt = later(by.at, UNVERIFIED_KEPT_MILLISECONDS);
    yield* changesOf(this.queries.updateTable('people').set({ discard_at: discardAt }).where('id', '=', id));
    yield* auditPerson(this.queries, { action: 'invited-again', id }, by);
    return true;
  }

  * find(hash: TokenHash, purpose: TokenPurpose, at: Instant): Script<StoredToken | null> {
    const row = yield* firstOf(this.queries.selectFrom('person_tokens').select(PERSON_TOKEN_COLUMNS)
      .where('hash', '=', hash).where('purpose', '=', purpose).where('expires_at', '>', BigInt(at)));
    if (row === null) return null;
    return { hash, purpose, personId: row.person_id as PersonId, newEmail: row.new_email, expiresAt: instantFromColumn(row.expires_at) };
  }

  * redeem({ hash, purpose, effect, at, address }: TokenRedemption): Script<Person | null> {
    const token = yield* this.find(hash, purpose, at);
    const record = token === null ? null : yield* this.people.byId(token.personId);
    if (token === null || record === null) return null;
    const { id } = record.person;
    const by = ownAct(id, at, address);
    if (!(yield* this.hasEffect(effect, { record, token, by }))) return null;
    // The only statement that decides: of several redemptions one removes the row. Effects that refuse leave it.
    yield* changesOf(this.queries.deleteFrom('person_tokens').where('hash', '=', hash));
    return (yield* this.people.byId(id))?.person ?? record.person;
  }

  private* hasEffect(effect: TokenEffect, redeemed: Redeemed): Script<boolean> {
    switch (effect.kind) {
      case 'verify-email': return yield* this.verify(effect, redeemed);
      case 'set-password': return yield* this.setPassword(effect, redeemed);
      case 'change-email': return yield* this.changeEmail(redeemed);
      case 'disown': return yield* this.disown(redeemed);
      case 'none': return true;
    }
  }

  private* verify({ provenHash, ...verified }: Extract<TokenEffect, { readonly kind: 'verify-email' }>, { record, by }: Redeemed): Script<boolean> {
    if (record.passwordHash !== provenHash) return false;
    yield* this.markVerified(record.person, verified, by);
    return true;
  }

  private* setPassword({ passwordHash, name, ...verified }: Extract<TokenEffect, { readonly kind: 'set-password' }>, { record, by }: Redeemed): Script<boolean> {
    const { id, emailVerified } = record.person;
    yield* removeTracesByMailbox(this.queries, record.person);
    if (name !== null && !emailVerified) yield* this.rename(record.person, name);
    yield* changesOf(this.queries.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', id));
    yield* auditPerson(this.queries, { action: 'password-set', id }, by);
    yield* this.markVerified(record.person, verified, by);
    return true;
  }

  /** Removes everything that an earlier sign-up with this address left: password, sessions, factors, links, and the names of person and account. */
  private* beginAnew(person: Person, name: string): Script<void> {
    const { id } = person;
    yield* removeTracesByMailbox(this.queries, person);
    yield* changesOf(this.queries.updateTable('people').set({ password_hash: null }).where('id', '=', id));
    yield* this.rename(person, name);
  }

  /** Until the address is verified, a person has the account only that was made with them. */
  private* rename({ id, accountId }: Person, name: string): Script<void> {
    yield* changesOf(this.queries.updateTable('people').set({ name: storableText(name) }).where('id', '=', id));
    if (accountId !== null) yield* changesOf(this.queries.updateTable('accounts').set({ name: storableText(name) }).where('id', '=', accountId));
  }

  /** The address is the person's: it, and the account that has it, are verified, and the account becomes theirs. */
  private* markVerified(person: Person, { account, signupCredit = null }: AddressVerified, by: AuditedBy): Script<void> {
    if (person.emailVerified) return;
    const accountId = person.accountId ?? (yield* this.attach(person, account, by));
    yield* changesOf(this.queries.updateTable('people').set({ email_verified: VERIFIED, account_id: accountId, discard_at: null }).where('id', '=', person.id));
    const verified = yield* changesOf(this.queries.updateTable('accounts').set({ email_verified: VERIFIED }).where('id', '=', accountId).where('email_verified', '<>', BigInt(VERIFIED)));
    yield* auditPerson(this.queries, { action: 'verified', id: person.id }, by);
    if (verified === 1 && signupCredit !== null && person.role !== 'operator') yield* bookSignupCredit(this.queries, accountId, { credit: signupCredit, at: by.at });
  }

  /** The account that operators made with the address, or a new one where it is gone meanwhile. */
  private* attach({ email }: Person, account: Account, by: AuditedBy): Script<AccountId> {
    const made = yield* firstOf(this.queries.selectFrom('accounts').select('id').where('email_folded', '=', foldedEmail(email)));
    if (made !== null) return made.id as AccountId;
    yield* changesOf(this.queries.insertInto('accounts').values(accountToRow(account)));
    const details = { planId: account.planId, status: account.status, emailVerified: account.emailVerified };
    yield* appendAuditEntry(this.queries, { ...by, action: 'account.created', subject: account.id, accountId: account.id, details });
    return account.id;
  }

  /** Person and account change together. Tokens that were mailed to the old address die. */
  private* changeEmail({ record: { person, account }, token: { newEmail }, by }: Redeemed): Script<boolean> {
    if (newEmail === null || person.accountId === null || !mayChangeAddress(person, account) || (yield* this.isTaken(newEmail))) return false;
    yield* changesOf(this.queries.deleteFrom('person_tokens').where('person_id', '=', person.id));
    yield* changesOf(this.queries.updateTable('people').set({ email: newEmail }).where('id', '=', person.id));
    yield* changesOf(this.queries.updateTable('accounts').set({ email: newEmail, email_folded: foldedEmail(newEmail) }).where('id', '=', person.accountId));
    yield* auditPerson(this.queries, { action: 'email-changed', id: person.id, texts: { from: person.email, to: newEmail } }, by);
    return true;
  }

  private* isTaken(email: string): Script<boolean> {
    if ((yield* this.people.byEmail(email)) !== null) return true;
    return (yield* firstOf(this.queries.selectFrom('accounts').select('id').where('email_folded', '=', foldedEmail(email)))) !== null;
  }

  private* disown({ record: { person }, by }: Redeemed): Script<boolean> {
    if (person.emailVerified) return false;
    yield* discardPerson(this.queries, person, { ...by, action: 'disowned' });
    return true;
  }
}
