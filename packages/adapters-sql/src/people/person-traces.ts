import { type AccountId, type AuditedBy, type JsonObject, newAddressReference, type Person, type PersonId } from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { eraseAuditTexts } from '../audit/audit-texts.js';
import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';

/** What happened to a person. */
export interface PersonEvent {
  readonly action:
    | 'registered' | 'verified' | 'password-set' | 'password-changed' | 'email-changed' | 'role-changed' | 'renamed' | 'link-issued' | 'invited-again' | 'disowned' | 'discarded' | 'erased'
    | 'totp-added' | 'totp-removed' | 'recovery-codes-renewed' | 'recovery-code-used'
    | 'passkey-added' | 'passkey-removed' | 'issuer-linked' | 'sign-up-discarded' | 'sessions-ended';
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

/** Removes every session, token, factor and link to an issuer of a person. */
export function* removeTraces(queries: Queries, id: PersonId): Script<void> {
  for (const table of ['sessions', 'person_tokens', 'person_factors', 'recovery_codes', 'proof_attempts', 'issuer_links'] as const) {
    yield* changesOf(queries.deleteFrom(table).where('person_id', '=', id));
  }
}

/** After a factor was removed: sessions of a person who has none left have proved one thing only. */
export function* lowerSessions(queries: Queries, id: PersonId): Script<void> {
  yield* changesOf(queries.updateTable('sessions').set({ assurance: 'one-factor' }).where('person_id', '=', id)
    .where((session) => session.not(session.exists(
      session.selectFrom('person_factors').select('id').where('person_id', '=', id).where('confirmed_at', 'is not', null)))));
}

/** Removes mail to these addresses that waits for its delivery. */
export function* removeMail(queries: Queries, recipients: readonly string[]): Script<void> {
  yield* changesOf(queries.deleteFrom('mail_outbox').where('recipient', 'in', recipients));
}

/**
 * By whom a person is erased, and under which name: `disowned` by the holder of an address that someone else signed up with, `discarded` where the
 * address was never verified.
 */
export interface Erasure extends AuditedBy {
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
