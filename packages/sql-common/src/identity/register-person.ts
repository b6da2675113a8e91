import type { AuditedBy, PersonId } from '@tollgate/core';
import type { NewPerson } from '@tollgate/identity';
import { foldedEmail } from '../accounts/account-rows.js';
import { insertAccount } from '../accounts/insert-account.js';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { auditPerson } from './audit-person.js';
import { findPersonByEmail, personToRow } from './person-rows.js';

/**
 * Stores a person. Also stores an account, unless one has the same address: that one stays unchanged, and the person gets it by verifying the
 * address.
 */
export function* registerPerson(queries: Queries, { person, passwordHash, account }: NewPerson, by: AuditedBy): Script<{ readonly outcome: 'created' | 'existing'; readonly id: PersonId }> {
  const existing = yield* findPersonByEmail(queries, person.email);
  if (existing !== null) return { outcome: 'existing', id: existing.person.id };
  const taken = yield* firstOf(queries.selectFrom('accounts').select('id').where('email_folded', '=', foldedEmail(account.email)));
  if (taken === null) {
    yield* insertAccount(queries, account);
    const details = { planId: account.planId, status: account.status, emailVerified: account.emailVerified };
    yield* appendAuditEntry(queries, { ...by, action: 'account.created', subject: account.id, accountId: account.id, details });
  }
  const accountId = taken === null ? account.id : null;
  yield* changesOf(queries.insertInto('people').values(personToRow({ ...person, accountId }, passwordHash)));
  yield* auditPerson(queries, { action: 'registered', id: person.id }, by);
  return { outcome: 'created', id: person.id };
}
