import type { AccountId, AuditedBy } from '@tollgate/core';
import type { AddressReplacement, AddressReplacementOutcome, Person } from '@tollgate/identity';
import { foldedEmail } from '../accounts/account-rows.js';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { storableText } from '../schema/storable-text.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { auditPerson } from './audit-person.js';
import { findPersonByEmail, findPersonOfAccount } from './person-rows.js';
import { storeMail } from './store-mail.js';

/** @param email must be folded. */
export function* isAddressTaken(queries: Queries, email: string): Script<boolean> {
  if ((yield* findPersonByEmail(queries, email)) !== null) return true;
  return (yield* firstOf(queries.selectFrom('accounts').select('id').where('email_folded', '=', foldedEmail(email)))) !== null;
}

interface AddressMove {
  readonly accountId: AccountId;
  /** Owner of the account; `null` if it has none. */
  readonly person: Pick<Person, 'id' | 'email'> | null;
  /** The new address, which must be folded and not in use. */
  readonly to: string;
}

/** Changes the address of the account and of its owner, if it has one. */
export function* moveAddress(queries: Queries, { accountId, person, to }: AddressMove, by: AuditedBy): Script<void> {
  const email = storableText(to);
  if (person !== null) yield* changesOf(queries.updateTable('people').set({ email }).where('id', '=', person.id));
  yield* changesOf(queries.updateTable('accounts').set({ email, email_folded: foldedEmail(to), updated_at: by.at }).where('id', '=', accountId));
  if (person === null) {
    yield* appendAuditEntry(queries, { ...by, action: 'account.changed', subject: accountId, accountId, details: {}, texts: { email: to } });
  } else {
    yield* auditPerson(queries, { action: 'email-changed', id: person.id, texts: { from: person.email, to } }, by);
  }
}

export function* replaceAddress(queries: Queries, { accountId, from, to, notices }: AddressReplacement, by: AuditedBy): Script<AddressReplacementOutcome> {
  const account = yield* firstOf(queries.selectFrom('accounts').select('id').where('id', '=', accountId).where('email', '=', storableText(from)).where('status', '<>', 'deleted'));
  if (account === null) return 'changed-meanwhile';
  const person = (yield* findPersonOfAccount(queries, accountId))?.person ?? null;
  if (person?.role === 'operator') return 'operator';
  if (yield* isAddressTaken(queries, to)) return 'email-taken';
  yield* moveAddress(queries, { accountId, person, to }, by);
  if (person !== null) {
    for (const table of ['sessions', 'person_tokens'] as const) yield* changesOf(queries.deleteFrom(table).where('person_id', '=', person.id));
  }
  for (const notice of notices) yield* storeMail(queries, notice);
  return 'changed';
}
