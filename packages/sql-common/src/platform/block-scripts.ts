import {
  type AccountId, type ApiKeyId, type Block, type BlockListQuery, type BlockTarget, type BlockTerms, type Instant, type OperatorAct, UNTIL_UNBLOCKED,
} from '@tollgate/core';
import type { Selectable } from 'kysely';
import { BLOCK_COLUMNS } from '../schema/column-lists.js';
import { instantFromColumn, instantOrNull, storableText, storableTextOrNull } from '../schema/columns.js';
import type { BlockTable } from '../schema/database-schema.js';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script } from '../script/script.js';

function targetOf(kind: string, subject: string): BlockTarget {
  switch (kind) {
    case 'account': return { kind, subject: subject as AccountId };
    case 'key': return { kind, subject: subject as ApiKeyId };
    default: return { kind: 'network', subject };
  }
}

export function blockFromRow({ kind, subject, reason, blocked_by, blocked_at, expires_at }: Selectable<BlockTable>): Block {
  return { target: targetOf(kind, subject), reason, blockedBy: blocked_by, blockedAt: instantFromColumn(blocked_at), expiresAt: instantOrNull(expires_at) };
}

/** `false` when there is a block already that has not ended; one that has ended is replaced. */
export function* insertBlock(queries: Queries, { kind, subject }: BlockTarget, by: OperatorAct & Partial<BlockTerms>): Script<boolean> {
  const { actor, at, reason, expiresAt } = { ...UNTIL_UNBLOCKED, ...by };
  const terms = { reason: storableTextOrNull(reason), blocked_by: storableText(actor.id), blocked_at: at, expires_at: expiresAt };
  const changes = yield* changesOf(queries.insertInto('blocks').values({ kind, subject, ...terms })
    .onConflict((conflict) => conflict.columns(['kind', 'subject']).doUpdateSet(terms).where('blocks.expires_at', '<=', BigInt(at))));
  return changes > 0;
}

/** `false` when there is none. */
export function* deleteBlock(queries: Queries, { kind, subject }: BlockTarget): Script<boolean> {
  return (yield* changesOf(queries.deleteFrom('blocks').where('kind', '=', kind).where('subject', '=', subject))) > 0;
}

export function* findBlock(queries: Queries, { kind, subject }: BlockTarget): Script<Block | null> {
  const row = yield* firstOf(queries.selectFrom('blocks').select(BLOCK_COLUMNS).where('kind', '=', kind).where('subject', '=', subject));
  return row === null ? null : blockFromRow(row);
}

export function* listBlocks(queries: Queries, { limit, after, now }: BlockListQuery): Script<readonly Block[]> {
  const newest = queries.selectFrom('blocks').select(BLOCK_COLUMNS)
    .where((block) => block.or([block('expires_at', 'is', null), block('expires_at', '>', BigInt(now))]))
    .orderBy('blocked_at', 'desc').orderBy('kind', 'desc').orderBy('subject', 'desc').limit(limit);
  const rows = yield* rowsOf(after === null ? newest : newest.where((block) => block(
    block.refTuple('blocked_at', 'kind', 'subject'), '<',
    block.tuple(BigInt(after.blockedAt), after.target.kind as string, after.target.subject),
  )));
  return rows.map(blockFromRow);
}

/** Blocks that have come to their date by that clock. */
export function* endedBlocks(queries: Queries, { clock, now, limit }: { readonly clock: LeaseClock; readonly now: Instant; readonly limit: number }): Script<readonly BlockTarget[]> {
  const rows = yield* rowsOf(queries.selectFrom('blocks').select(['kind', 'subject']).where('expires_at', '<=', presentBy(clock, now)).orderBy('expires_at').limit(limit));
  return rows.map(({ kind, subject }) => targetOf(kind, subject));
}
