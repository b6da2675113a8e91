import { type Account, type AccountId, type AuditedBy, erasedEmail, type Instant, type PersonId } from '@tollgate/core';
import { type Assurance, mailboxRemovesFactors, newAddressReference, type Person, type StoredMail } from '@tollgate/identity';
import { eraseNotes } from '../accounts/sql-account-note-records.js';
import { appendAuditEntry, eraseAuditTexts } from '../audit/append-audit-entry.js';
import { eraseMachineAnswers } from '../idempotency/claim-machine-request.js';
import { CUSTOMER } from '../ledger/customer-of-entry.js';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { auditPerson } from './audit-person.js';
import { personFromRow, selectPeople } from './person-rows.js';
import { storeMail } from './store-mail.js';

const WAYS_IN = ['sessions', 'person_tokens', 'issuer_links'] as const;
const FACTORS = ['person_factors', 'recovery_codes', 'proof_attempts', 'stranger_attempts'] as const;

function* removeFrom(queries: Queries, tables: readonly (typeof WAYS_IN[number] | typeof FACTORS[number])[], id: PersonId): Script<void> {
  for (const table of tables) yield* changesOf(queries.deleteFrom(table).where('person_id', '=', id));
}

/** Removes sessions, tokens, links to issuers, factors with their recovery codes, and counts of failures. */
function* removeTraces(queries: Queries, id: PersonId): Script<void> {
  yield* removeFrom(queries, [...WAYS_IN, ...FACTORS], id);
}

/**
 * Removes what proof of access to the mailbox permits to remove: for operators, sessions, tokens, links to issuers and factors whose enrolment is not
 * complete; for others, the same as `removeTraces`.
 */
export function* removeTracesByMailbox(queries: Queries, person: Pick<Person, 'id' | 'role'>): Script<void> {
  if (mailboxRemovesFactors(person)) return yield* removeTraces(queries, person.id);
  yield* removeFrom(queries, WAYS_IN, person.id);
  yield* changesOf(queries.deleteFrom('person_factors').where('person_id', '=', person.id).where('confirmed_at', 'is', null));
}

/**
 * Removes sessions, factors, recovery codes and counts of failures, and stores the notice. Returns `false`, without effect, if the person has no
 * factor.
 */
export function* removeFactors(queries: Queries, { id, notice }: { readonly id: PersonId; readonly notice: StoredMail }, by: AuditedBy): Script<boolean> {
  const confirmed = queries.selectFrom('person_factors').select('id').where('person_id', '=', id).where('confirmed_at', 'is not', null);
  if ((yield* firstOf(confirmed)) === null) return false;
  yield* removeFrom(queries, ['sessions', ...FACTORS], id);
  yield* auditPerson(queries, { action: 'factors-removed', id }, by);
  yield* storeMail(queries, notice);
  return true;
}

/** Lowers the assurance of the person's sessions, if the person has no factor left. */
export function* lowerSessions(queries: Queries, id: PersonId): Script<void> {
  const lowered: Assurance = 'factor-removed';
  yield* changesOf(queries.updateTable('sessions').set({ assurance: lowered }).where('person_id', '=', id).where('assurance', '=', 'two-factor')
    .where((session) => session.not(session.exists(
      session.selectFrom('person_factors').select('id').where('person_id', '=', id).where('confirmed_at', 'is not', null)))));
}

/** Removes messages to these addresses, whether waiting or traced. */
export function* removeMail(queries: Queries, recipients: readonly string[]): Script<void> {
  yield* changesOf(queries.deleteFrom('mail_outbox').where('recipient', 'in', recipients));
}

/** Removes all messages of the account, including those to its former addresses. */
export function* removeMailOfAccount(queries: Queries, id: AccountId): Script<void> {
  yield* changesOf(queries.deleteFrom('mail_outbox').where('account_id', '=', id));
}

/** `disowned`: the owner of the address reported that another person had signed up with it. `discarded`: the address was not verified in time. */
interface Erasure extends AuditedBy {
  readonly action?: 'erased' | 'disowned' | 'discarded';
}

/** Erases the person and the person's mail and audit texts. Audit entries still contain the id. */
export function* erasePerson(queries: Queries, { id, email }: Person, { action = 'erased', ...by }: Erasure): Script<void> {
  yield* auditPerson(queries, { action, id }, by);
  yield* removeMail(queries, [email]);
  // Removes only this person's mail to a new address; other people may have mail to the same one.
  yield* changesOf(queries.deleteFrom('mail_outbox').where('reference', 'like', `${newAddressReference(id)}%`));
  yield* removeTraces(queries, id);
  yield* changesOf(queries.deleteFrom('consents').where('person_id', '=', id));
  yield* changesOf(queries.deleteFrom('people').where('id', '=', id));
  yield* eraseAuditTexts(queries, [id]);
}

export function* isLastOperator(queries: Queries, { role }: Pick<Person, 'role'>): Script<boolean> {
  if (role !== 'operator') return false;
  return (yield* rowsOf(queries.selectFrom('people').select('id').where('role', '=', 'operator').limit(2))).length === 1;
}

const ACTIVE: Account['status'] = 'active';

/** Ids of people who did not verify their address in time, earliest date first. */
export function* unverifiedPeople(queries: Queries, { clock, limit }: { readonly clock: LeaseClock; readonly limit: number }, at: Instant): Script<readonly PersonId[]> {
  const rows = yield* rowsOf(queries.selectFrom('people').select('id').where('discard_at', '<=', presentBy(clock, at)).orderBy('discard_at').orderBy('id').limit(limit));
  return rows.map(({ id }) => id as PersonId);
}

/** False if the person has verified the address or was removed meanwhile. */
export function* discardUnverified(queries: Queries, { clock, id }: { readonly clock: LeaseClock; readonly id: PersonId }, by: AuditedBy): Script<boolean> {
  const row = yield* firstOf(selectPeople(queries).where('people.id', '=', id).where('people.discard_at', '<=', presentBy(clock, by.at)));
  if (row === null) return false;
  yield* discardPerson(queries, personFromRow(row), { ...by, action: 'discarded' });
  return true;
}

/** Removes a person who has not verified the address, and the account that was created with the person. */
export function* discardPerson(queries: Queries, person: Person, by: Erasure): Script<void> {
  yield* erasePerson(queries, person, by);
  if (person.accountId !== null) yield* discardAccount(queries, person.accountId, { actor: by.actor, at: by.at });
}

/**
 * Marks the account deleted, unless it has bookings or keys, or operators verified, suspended or blocked it. Such an account remains for the next
 * person who verifies the address.
 */
function* discardAccount(queries: Queries, id: AccountId, by: AuditedBy): Script<void> {
  if (yield* isInUse(queries, id)) return;
  const discarded = yield* changesOf(queries.updateTable('accounts')
    .set({ status: 'deleted', name: '', email: erasedEmail(id), email_folded: erasedEmail(id), external_id: null, metadata: null, updated_at: by.at })
    .where('id', '=', id).where('status', '=', ACTIVE).where('email_verified', '=', 0n).where('blocked', '=', 0n).where('balance', '=', 0n).where('reserved', '=', 0n));
  if (discarded === 0) return;
  yield* removeMailOfAccount(queries, id);
  yield* eraseNotes(queries, id);
  yield* appendAuditEntry(queries, { ...by, action: 'account.deleted', subject: id, accountId: id, details: { forfeited: '0' } });
  yield* eraseAuditTexts(queries, [id]);
  yield* eraseMachineAnswers(queries, id);
}

/** True if the account has keys or acts of money. Without keys it has no charges either. */
function* isInUse(queries: Queries, id: AccountId): Script<boolean> {
  if ((yield* firstOf(queries.selectFrom('api_keys').select('id').where('account_id', '=', id).limit(1))) !== null) return true;
  const act = queries.selectFrom('ledger_entries').select('seq').where('reservation_id', 'is', null).where(CUSTOMER, '=', id).limit(1);
  return (yield* firstOf(act)) !== null;
}
