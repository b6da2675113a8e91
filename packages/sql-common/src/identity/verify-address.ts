import { type AccountId, type AuditedBy, type Instant, later, type PersonId } from '@tollgate/core';
import { type AddressVerified, type Person, UNVERIFIED_KEPT_MILLISECONDS } from '@tollgate/identity';
import { foldedEmail } from '../accounts/account-rows.js';
import { insertAccount } from '../accounts/insert-account.js';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { appendEvent } from '../events/append-event.js';
import { flagToColumn } from '../schema/column-values.js';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { auditPerson } from './audit-person.js';
import { bookSignupCredit } from './book-signup-credit.js';
import { findPerson } from './person-rows.js';
import { removeTracesByMailbox } from './remove-person.js';

const VERIFIED = flagToColumn(true);

export interface Verification extends AddressVerified {
  readonly by: AuditedBy;
}

export function* vouchFor(queries: Queries, id: PersonId, verification: Verification): Script<boolean> {
  const person = (yield* findPerson(queries, id))?.person;
  if (person === undefined || person.emailVerified) return false;
  yield* beginAnew(queries, person, { name: verification.account.name, at: verification.by.at });
  yield* markVerified(queries, person, verification);
  return true;
}

export function* inviteAgain(queries: Queries, { id, name }: Pick<Person, 'id' | 'name'>, by: AuditedBy): Script<boolean> {
  const person = (yield* findPerson(queries, id))?.person;
  if (person === undefined || person.emailVerified) return false;
  yield* beginAnew(queries, person, { name, at: by.at });
  const discardAt = later(by.at, UNVERIFIED_KEPT_MILLISECONDS);
  yield* changesOf(queries.updateTable('people').set({ discard_at: discardAt }).where('id', '=', id));
  yield* auditPerson(queries, { action: 'invited-again', id }, by);
  return true;
}

/** Removes what an earlier sign-up with this address left: password, sessions, factors and links. Replaces the names of person and account. */
function* beginAnew(queries: Queries, person: Person, renaming: Renaming): Script<void> {
  const { id } = person;
  yield* removeTracesByMailbox(queries, person);
  yield* changesOf(queries.updateTable('people').set({ password_hash: null }).where('id', '=', id));
  yield* renameWithAccount(queries, person, renaming);
}

interface Renaming {
  readonly name: string;
  readonly at: Instant;
}

/** Renames the person, and the person's account. Only for unverified people, whose account was created with them. */
export function* renameWithAccount(queries: Queries, { id, accountId }: Person, { name, at }: Renaming): Script<void> {
  yield* changesOf(queries.updateTable('people').set({ name: storableText(name) }).where('id', '=', id));
  if (accountId === null) return;
  yield* changesOf(queries.updateTable('accounts').set({ name: storableText(name), updated_at: at }).where('id', '=', accountId));
  yield* appendEvent(queries, { type: 'account.changed', accountId, at, data: { changed: ['name'] } });
}

/**
 * Marks the address of the person and the account as verified. A person without an account gets one. Books the sign-up credit, unless the account was
 * verified before or the person is an operator.
 */
export function* markVerified(queries: Queries, person: Person, { account, signupCredit = null, by }: Verification): Script<void> {
  if (person.emailVerified) return;
  const accountId = person.accountId ?? (yield* attachAccount(queries, person.email, { account, by }));
  yield* changesOf(queries.updateTable('people').set({ email_verified: VERIFIED, account_id: accountId, discard_at: null }).where('id', '=', person.id));
  const verified = yield* changesOf(queries.updateTable('accounts').set({ email_verified: VERIFIED, updated_at: by.at }).where('id', '=', accountId).where('email_verified', '<>', BigInt(VERIFIED)));
  yield* auditPerson(queries, { action: 'verified', id: person.id }, by);
  if (verified === 1) yield* appendEvent(queries, { type: 'account.standing_changed', accountId, at: by.at, data: { act: 'verified' } });
  if (verified === 1 && signupCredit !== null && person.role !== 'operator') yield* bookSignupCredit(queries, accountId, { credit: signupCredit, at: by.at });
}

/** Returns the account that operators created with the address. If there is none, creates `account`. */
function* attachAccount(queries: Queries, email: string, { account, by }: Pick<Verification, 'account' | 'by'>): Script<AccountId> {
  const made = yield* firstOf(queries.selectFrom('accounts').select('id').where('email_folded', '=', foldedEmail(email)));
  if (made !== null) return made.id as AccountId;
  yield* insertAccount(queries, account);
  const details = { planId: account.planId, status: account.status, emailVerified: account.emailVerified };
  yield* appendAuditEntry(queries, { ...by, action: 'account.created', subject: account.id, accountId: account.id, details });
  return account.id;
}
