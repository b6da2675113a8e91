import type { AccountId, AuditedBy, JsonObject, PersonId, PersonVerb } from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

export interface PersonEvent {
  readonly action: PersonVerb;
  readonly id: PersonId;
  readonly details?: JsonObject;
  readonly texts?: Readonly<Record<string, string>>;
}

/**
 * Writes an audit entry about a person. Entries outlive the person, so they contain only ids: that of the person, and that of the account that the
 * person owns.
 */
export function* auditPerson(queries: Queries, { action, id, details = {}, texts = {} }: PersonEvent, by: AuditedBy): Script<void> {
  const person = yield* firstOf(queries.selectFrom('people').select('account_id').where('id', '=', id));
  const accountId = (person?.account_id ?? null) as AccountId | null;
  yield* appendAuditEntry(queries, { ...by, action: `person.${action}`, subject: id, accountId, details, texts });
}
