import { type AuditedAct, invariant, personalTextsOf } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import { storableText } from '../text/storable-text.js';
import { auditHash, type AuditRow } from './audit-entry.js';
import { digestsOf, textRows } from './audit-texts.js';

/**
 * Records a change, in the transaction that makes it. The entry follows the anchor rather than the last row: where entries have been cut off,
 * the gap they left stays, whatever is written after them.
 */
export function* appendAuditEntry(queries: Queries, act: AuditedAct): Script<void> {
  const anchor = yield* firstOf(queries.selectFrom('audit_anchor').select(['entries', 'head']));
  invariant(anchor !== null, 'the audit trail has its anchor');
  const { kind, id, origin } = act.actor;
  const seq = anchor.entries + 1n;
  const texts = textRows(seq, personalTextsOf(act));
  const row: AuditRow = {
    seq,
    at: BigInt(act.at),
    actor_kind: kind,
    actor_id: storableText(id),
    action: act.action,
    subject: storableText(act.subject),
    details: JSON.stringify(act.details),
    origin: origin.place,
    origin_user: null,
    account_id: act.accountId,
    texts: digestsOf(texts),
  };
  const hash = auditHash(anchor.head, row);
  yield* changesOf(queries.insertInto('audit_entries').values({ ...row, hash }));
  if (texts.length > 0) yield* changesOf(queries.insertInto('audit_texts').values([...texts]));
  yield* changesOf(queries.updateTable('audit_anchor').set({ entries: row.seq, head: hash }));
}
