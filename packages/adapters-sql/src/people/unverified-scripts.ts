import { type Account, type AccountId, type AuditedBy, erasedEmail, type Person } from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { eraseAuditTexts } from '../audit/audit-texts.js';
import { CUSTOMER } from '../lookups/operator-lookup-scripts.js';
import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { personFromRow, selectPeople } from './person-row.js';
import { type Erasure, erasePerson } from './person-traces.js';

const ACTIVE: Account['status'] = 'active';

/** Removes some of the people who are past their date, the longest due first. Returns how many. */
export function* discardUnverified(queries: Queries, limit: number, by: AuditedBy): Script<number> {
  const rows = yield* rowsOf(selectPeople(queries).where('people.discard_at', '<=', BigInt(by.at)).orderBy('people.discard_at').limit(limit));
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
