import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import { storableText } from '../text/storable-text.js';
import { auditHash, FIRST_PREVIOUS_HASH, type AuditEntry, type AuditRow } from './audit-entry.js';

/** Records a change, in the transaction that makes it. */
export function* appendAuditEntry(queries: Queries, entry: AuditEntry): Script<void> {
  const last = yield* firstOf(queries.selectFrom('audit_entries').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1));
  const row: AuditRow = {
    seq: (last?.seq ?? 0n) + 1n,
    at: BigInt(entry.at),
    actor_kind: entry.actor.kind,
    actor_id: storableText(entry.actor.id),
    action: entry.action,
    subject: storableText(entry.subject),
    details: JSON.stringify(entry.details),
  };
  const hash = auditHash(last?.hash ?? FIRST_PREVIOUS_HASH, row);
  yield* changesOf(queries.insertInto('audit_entries').values({ ...row, hash }));
}
