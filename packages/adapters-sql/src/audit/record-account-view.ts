import { ACCOUNT_VIEWED, type AccountId, type AuditedBy, startOfNextUtcDay, startOfUtcDay } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { firstOf, type Script } from '../script/script.js';
import { storableText } from '../text/storable-text.js';
import { appendAuditEntry } from './append-audit-entry.js';

/** Writes an entry unless the actor's view of the account is on record for the UTC day. Scripts that write go one after the other. */
export function* recordAccountView(queries: Queries, accountId: AccountId, by: AuditedBy): Script<boolean> {
  const { actor, at } = by;
  const recorded = yield* firstOf(queries.selectFrom('audit_entries').select('seq')
    .where('account_id', '=', accountId).where('actor_id', '=', storableText(actor.id)).where('action', '=', ACCOUNT_VIEWED)
    .where('at', '>=', BigInt(startOfUtcDay(at))).where('at', '<', BigInt(startOfNextUtcDay(at))).limit(1));
  if (recorded !== null) return false;
  yield* appendAuditEntry(queries, { ...by, action: ACCOUNT_VIEWED, subject: accountId, accountId, details: {} });
  return true;
}
