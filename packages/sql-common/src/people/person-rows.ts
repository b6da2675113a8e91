import {
  type Account, type AccountId, type AccountStatus, type AuditedBy, erasedEmail, foldEmail, type JsonObject, later, type PersonId,
} from '@tollgate/core';
import {
  type Assurance, type Factor, mailboxRemovesFactors, newAddressReference, type Person, type PersonRecord, type PersonRole, type StoredMail,
  UNVERIFIED_KEPT_MILLISECONDS,
} from '@tollgate/identity';
import type { Insertable } from 'kysely';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { flagFromColumn, flagToColumn, instantFromColumn, instantOrNull, storableText } from '../schema/columns.js';
import type { PersonTable } from '../schema/record-tables.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script } from '../script/script.js';
import { appendAuditEntry, eraseAuditTexts } from '../audit/append-audit-entry.js';
import { MailOutboxScripts } from '../mail/sql-mail-outbox.js';
import { CUSTOMER } from '../operators/sql-operator-lookups.js';

/** A person beside the standing of their account; whether a factor is enrolled comes as a boolean or a number. */
export interface PersonRow {
  readonly id: string;
  readonly account_id: string | null;
  readonly email: string;
  readonly email_verified: bigint | number;
  readonly name: string;
  readonly role: string;
  readonly password_hash: string | null;
  readonly created_at: bigint | number;
  readonly discard_at: bigint | number | null;
  readonly account_status: string | null;
  readonly account_blocked: bigint | number | null;
  readonly has_totp: unknown;
  readonly has_passkey: unknown;
}

export function personFromRow(row: PersonRow): Person {
  const factors: Factor[] = [];
  if (Number(row.has_totp) !== 0) factors.push('totp');
  if (Number(row.has_passkey) !== 0) factors.push('passkey');
  return {
    id: row.id as PersonId, accountId: row.account_id as AccountId | null, email: row.email, emailVerified: flagFromColumn(row.email_verified),
    name: row.name, role: row.role as PersonRole, factors, createdAt: instantFromColumn(row.created_at),
  };
}

export function recordFromRow(row: PersonRow): PersonRecord {
  const { account_status: status, account_blocked: blocked } = row;
  const account = status === null || blocked === null ? null : { status: status as AccountStatus, blocked: flagFromColumn(blocked) };
  return { person: personFromRow(row), passwordHash: row.password_hash, account, discardAt: instantOrNull(row.discard_at) };
}

export function personToRow({ id, accountId, email, emailVerified, name, role, createdAt }: Person, passwordHash: string | null): Insertable<PersonTable> {
  return {
    id, account_id: accountId, email: foldEmail(storableText(email)), email_verified: flagToColumn(emailVerified), name: storableText(name), role,
    password_hash: passwordHash, created_at: createdAt, discard_at: emailVerified ? null : later(createdAt, UNVERIFIED_KEPT_MILLISECONDS),
  };
}

/** The columns of `PersonRow`. */
export function selectPeople(queries: Queries) {
  return queries.selectFrom('people').leftJoin('accounts', 'accounts.id', 'people.account_id')
    .select([
      'people.id', 'people.account_id', 'people.email', 'people.email_verified', 'people.name', 'people.role', 'people.password_hash', 'people.created_at', 'people.discard_at',
      'accounts.status as account_status', 'accounts.blocked as account_blocked',
    ])
    .select((people) => (['totp', 'passkey'] as const).map((kind) => people.exists(
      people.selectFrom('person_factors').select('person_factors.id').where('person_factors.kind', '=', kind)
        .where('person_factors.confirmed_at', 'is not', null).whereRef('person_factors.person_id', '=', 'people.id'),
    ).as(`has_${kind}`)));
}

/** What happened to a person. */
export interface PersonEvent {
  readonly action:
    | 'registered' | 'verified' | 'password-set' | 'password-changed' | 'email-changed' | 'role-changed' | 'renamed' | 'link-issued' | 'invited-again' | 'disowned' | 'discarded' | 'erased'
    | 'totp-added' | 'totp-removed' | 'recovery-codes-renewed' | 'recovery-code-used'
    | 'factors-removed' | 'passkey-added' | 'passkey-removed' | 'issuer-linked' | 'sign-up-discarded' | 'sessions-ended';
  readonly id: PersonId;
  readonly details?: JsonObject;
  readonly texts?: Readonly<Record<string, string>>;
}

/** The trail outlives the person, so it never holds more of them than ids: theirs, and that of the account they own by now. */
export function* auditPerson(queries: Queries, { action, id, details = {}, texts = {} }: PersonEvent, by: AuditedBy): Script<void> {
  const person = yield* firstOf(queries.selectFrom('people').select('account_id').where('id', '=', id));
  const accountId = (person?.account_id ?? null) as AccountId | null;
  yield* appendAuditEntry(queries, { ...by, action: `person.${action}`, subject: id, accountId, details, texts });
}

const WAYS_IN = ['sessions', 'person_tokens', 'issuer_links'] as const;
const FACTORS = ['person_factors', 'recovery_codes', 'proof_attempts', 'stranger_attempts'] as const;

function* removeFrom(queries: Queries, tables: readonly (typeof WAYS_IN[number] | typeof FACTORS[number])[], id: PersonId): Script<void> {
  for (const table of tables) yield* changesOf(queries.deleteFrom(table).where('person_id', '=', id));
}

/** Removes every session, token, factor and link to an issuer of a person. */
export function* removeTraces(queries: Queries, id: PersonId): Script<void> {
  yield* removeFrom(queries, [...WAYS_IN, ...FACTORS], id);
}

/** Removes what a holder of the mailbox may remove. Of factors that stay, one that was begun and not proved is removed too. */
export function* removeTracesByMailbox(queries: Queries, person: Pick<Person, 'id' | 'role'>): Script<void> {
  if (mailboxRemovesFactors(person)) return yield* removeTraces(queries, person.id);
  yield* removeFrom(queries, WAYS_IN, person.id);
  yield* changesOf(queries.deleteFrom('person_factors').where('person_id', '=', person.id).where('confirmed_at', 'is', null));
}

/** Removes every session and second factor of a person, and stores the notice. `false`, and no effect, where there is no factor. */
export function* removeFactors(queries: Queries, { id, notice }: { readonly id: PersonId; readonly notice: StoredMail }, by: AuditedBy): Script<boolean> {
  const confirmed = queries.selectFrom('person_factors').select('id').where('person_id', '=', id).where('confirmed_at', 'is not', null);
  if ((yield* firstOf(confirmed)) === null) return false;
  yield* removeFrom(queries, ['sessions', ...FACTORS], id);
  yield* auditPerson(queries, { action: 'factors-removed', id }, by);
  yield* new MailOutboxScripts(queries).store(notice);
  return true;
}

/** After a factor was removed: sessions of a person who has none left count as having proved one thing only. */
export function* lowerSessions(queries: Queries, id: PersonId): Script<void> {
  const lowered: Assurance = 'factor-removed';
  yield* changesOf(queries.updateTable('sessions').set({ assurance: lowered }).where('person_id', '=', id).where('assurance', '=', 'two-factor')
    .where((session) => session.not(session.exists(
      session.selectFrom('person_factors').select('id').where('person_id', '=', id).where('confirmed_at', 'is not', null)))));
}

/** Removes mail to these addresses that waits for its delivery. */
export function* removeMail(queries: Queries, recipients: readonly string[]): Script<void> {
  yield* changesOf(queries.deleteFrom('mail_outbox').where('recipient', 'in', recipients));
}

/**
 * The actor who erases a person, and the name of the act: `disowned` when the holder of the address reports that another person signed up with it,
 * `discarded` when the address was never verified.
 */
interface Erasure extends AuditedBy {
  readonly action?: 'erased' | 'disowned' | 'discarded';
}

/** Removes a person, with the mail to them and what the audit trail says of them beside their id. */
export function* erasePerson(queries: Queries, { id, email }: Person, { action = 'erased', ...by }: Erasure): Script<void> {
  yield* auditPerson(queries, { action, id }, by);
  yield* removeMail(queries, [email]);
  // Mail of another person to that address stays.
  yield* changesOf(queries.deleteFrom('mail_outbox').where('reference', 'like', `${newAddressReference(id)}%`));
  yield* removeTraces(queries, id);
  yield* changesOf(queries.deleteFrom('people').where('id', '=', id));
  yield* eraseAuditTexts(queries, [id]);
}

/** Whether no operator would be left without this person. */
export function* isLastOperator(queries: Queries, { role }: Pick<Person, 'role'>): Script<boolean> {
  if (role !== 'operator') return false;
  return (yield* rowsOf(queries.selectFrom('people').select('id').where('role', '=', 'operator').limit(2))).length === 1;
}

const ACTIVE: Account['status'] = 'active';

/** Removes some of the people who are past their date by that clock, the longest due first. Returns how many. */
export function* discardUnverified(queries: Queries, { clock, limit }: { readonly clock: LeaseClock; readonly limit: number }, by: AuditedBy): Script<number> {
  const rows = yield* rowsOf(selectPeople(queries).where('people.discard_at', '<=', presentBy(clock, by.at)).orderBy('people.discard_at').limit(limit));
  for (const row of rows) yield* discardPerson(queries, personFromRow(row), { ...by, action: 'discarded' });
  return rows.length;
}

/** Removes a person who never verified the address, and the account that was made with them. */
export function* discardPerson(queries: Queries, person: Person, by: Erasure): Script<void> {
  yield* erasePerson(queries, person, by);
  if (person.accountId !== null) yield* discardAccount(queries, person.accountId, { actor: by.actor, at: by.at });
}

/** An account that something was booked on, that has a key, or that operators have verified, suspended or blocked stays, for the next person who verifies the address. */
function* discardAccount(queries: Queries, id: AccountId, by: AuditedBy): Script<void> {
  if (yield* isInUse(queries, id)) return;
  const discarded = yield* changesOf(queries.updateTable('accounts')
    .set({ status: 'deleted', name: '', email: erasedEmail(id), email_folded: erasedEmail(id) })
    .where('id', '=', id).where('status', '=', ACTIVE).where('email_verified', '=', 0n).where('blocked', '=', 0n).where('balance', '=', 0n).where('reserved', '=', 0n));
  if (discarded === 0) return;
  yield* appendAuditEntry(queries, { ...by, action: 'account.deleted', subject: id, accountId: id, details: { forfeited: '0' } });
  yield* eraseAuditTexts(queries, [id]);
}

/** Charges come with keys alone, so no key and no act of money is no entry at all. */
function* isInUse(queries: Queries, id: AccountId): Script<boolean> {
  if ((yield* firstOf(queries.selectFrom('api_keys').select('id').where('account_id', '=', id).limit(1))) !== null) return true;
  const act = queries.selectFrom('ledger_entries').select('seq').where('reservation_id', 'is', null).where(CUSTOMER, '=', id).limit(1);
  return (yield* firstOf(act)) !== null;
}
