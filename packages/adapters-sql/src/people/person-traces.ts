import type { AuditedBy, JsonObject, Person, PersonId } from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import type { Queries } from '../script/queries.js';
import { changesOf, type Script } from '../script/script.js';

/** What happened to a person. */
export interface PersonEvent {
  readonly action:
    | 'registered' | 'verified' | 'password-set' | 'password-changed' | 'email-changed' | 'role-changed' | 'link-issued' | 'disowned' | 'erased'
    | 'totp-added' | 'totp-removed' | 'recovery-codes-renewed' | 'recovery-code-used'
    | 'passkey-added' | 'passkey-removed' | 'issuer-linked' | 'sign-up-discarded';
  readonly id: PersonId;
  readonly details?: JsonObject;
}

/** The trail outlives the person, so it never holds more of them than their id. */
export function auditPerson(queries: Queries, { action, id, details = {} }: PersonEvent, by: AuditedBy): Script<void> {
  return appendAuditEntry(queries, { ...by, action: `person.${action}`, subject: id, details });
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

/** Removes a person, and the mail to them that waits for its delivery. */
export function* removePerson(queries: Queries, { id, email }: Person): Script<void> {
  yield* removeTraces(queries, id);
  yield* changesOf(queries.deleteFrom('mail_outbox').where('recipient', '=', email));
  yield* changesOf(queries.deleteFrom('people').where('id', '=', id));
}
