import { invariant } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import { storableText, storableTextOrNull } from '../text/storable-text.js';
import { auditHash, type AuditEntry, type AuditRow } from './audit-entry.js';

/**
 * Records a change, in the transaction that makes it. The entry follows the anchor rather than the last row: where entries have been cut off,
 * the gap they left stays, whatever is written after them.
 */
export function* appendAuditEntry(queries: Queries, entry: AuditEntry): Script<void> {
  const anchor = yield* firstOf(queries.selectFrom('audit_anchor').select(['entries', 'head']));
  invariant(anchor !== null, 'the audit trail has its anchor');
  const { kind, id, origin } = entry.actor;
  const row: AuditRow = {
    seq: anchor.entries + 1n,
    at: BigInt(entry.at),
    actor_kind: kind,
    actor_id: storableText(id),
    action: entry.action,
    subject: storableText(entry.subject),
    details: JSON.stringify(entry.details),
    origin: origin.place,
    origin_user: storableTextOrNull(origin.user),
  };
  const hash = auditHash(anchor.head, row);
  yield* changesOf(queries.insertInto('audit_entries').values({ ...row, hash }));
  yield* changesOf(queries.updateTable('audit_anchor').set({ entries: row.seq, head: hash }));
}
