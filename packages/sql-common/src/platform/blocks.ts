import { type AccountId, type ApiKeyId, type AuditedBy, type Block, type BlockTarget, type BlockTerms, UNTIL_UNBLOCKED } from '@tollgate/core';
import type { Selectable } from 'kysely';
import { instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { storableText, storableTextOrNull } from '../schema/storable-text.js';
import type { BlockTable } from '../schema/platform-tables.js';
import { changesOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

export function blockTargetFromRow({ kind, subject }: Pick<Selectable<BlockTable>, 'kind' | 'subject'>): BlockTarget {
  switch (kind) {
    case 'account': return { kind, subject: subject as AccountId };
    case 'key': return { kind, subject: subject as ApiKeyId };
    default: return { kind: 'network', subject };
  }
}

export function blockFromRow({ kind, subject, reason, blocked_by, blocked_at, expires_at }: Selectable<BlockTable>): Block {
  return { target: blockTargetFromRow({ kind, subject }), reason, blockedBy: blocked_by, blockedAt: instantFromColumn(blocked_at), expiresAt: instantOrNull(expires_at) };
}

/** Inserts a block, or replaces one that has ended. Returns `false` if one is in force. */
export function* insertBlock(queries: Queries, { kind, subject }: BlockTarget, by: AuditedBy & Partial<BlockTerms>): Script<boolean> {
  const { actor, at, reason, expiresAt } = { ...UNTIL_UNBLOCKED, ...by };
  const terms = { reason: storableTextOrNull(reason), blocked_by: storableText(actor.id), blocked_at: at, expires_at: expiresAt };
  const changes = yield* changesOf(queries.insertInto('blocks').values({ kind, subject, ...terms })
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(terms).where('blocks.expires_at', '<=', BigInt(at))));
  return changes > 0;
}

/** Returns `false` if the subject has no block. */
export function* deleteBlock(queries: Queries, { kind, subject }: BlockTarget): Script<boolean> {
  return (yield* changesOf(queries.deleteFrom('blocks').where('kind', '=', kind).where('subject', '=', subject))) > 0;
}
