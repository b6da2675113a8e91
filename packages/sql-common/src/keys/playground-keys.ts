import type { AccountId, Actor, ApiKeyId, Instant, PlaygroundKey } from '@tollgate/core';
import { sql } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { deleteBlock } from '../platform/blocks.js';
import { instantFromColumn } from '../schema/column-values.js';
import { changesOf, firstOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';

/** Returns the key as blocked while `blocks` has a row for it. */
export function* findPlaygroundKey(queries: Queries, accountId: AccountId): Script<PlaygroundKey | null> {
  const row = yield* firstOf(queries.selectFrom('playground_keys')
    .leftJoin('blocks', (join) => join.onRef('blocks.subject', '=', 'playground_keys.id').on('blocks.kind', '=', 'key'))
    .select(['playground_keys.id', 'playground_keys.created_at', 'blocks.subject as blocked']).where('account_id', '=', accountId));
  return row === null ? null : { id: row.id as ApiKeyId, accountId, createdAt: instantFromColumn(row.created_at), blocked: row.blocked !== null };
}

/** Creates the key, unless the account already has one. Returns `null` if the account is deleted. */
export function* createPlaygroundKey(queries: Queries, { id, accountId, createdAt: at }: Omit<PlaygroundKey, 'blocked'>, actor: Actor): Script<PlaygroundKey | null> {
  const inserted = yield* changesOf(queries.insertInto('playground_keys').columns(['account_id', 'id', 'created_at'])
    .expression(queries.selectFrom('accounts')
      .select(['id as account_id', sql<string>`cast(${id} as text)`.as('id'), sql<bigint>`cast(${BigInt(at)} as bigint)`.as('created_at')])
      .where('id', '=', accountId).where('status', '<>', 'deleted'))
    .onConflict((conflict) => conflict.column('account_id').doNothing()));
  if (inserted > 0) yield* appendAuditEntry(queries, { actor, at, action: 'key.created', subject: id, accountId, details: { playground: true } });
  return yield* findPlaygroundKey(queries, accountId);
}

/** Removes the key of a deleted account, and its block. */
export function* endPlaygroundKey(queries: Queries, accountId: AccountId, by: { readonly actor: Actor; readonly at: Instant }): Script<void> {
  const key = yield* findPlaygroundKey(queries, accountId);
  if (key === null) return;
  yield* changesOf(queries.deleteFrom('playground_keys').where('account_id', '=', accountId));
  yield* deleteBlock(queries, { kind: 'key', subject: key.id });
  yield* appendAuditEntry(queries, { ...by, action: 'key.revoked', subject: key.id, accountId, details: { playground: true } });
}

/** Account of a key or playground key. */
export function* accountOfKey(queries: Queries, id: ApiKeyId): Script<AccountId | null> {
  const row = (yield* firstOf(queries.selectFrom('api_keys').select('account_id').where('id', '=', id)))
    ?? (yield* firstOf(queries.selectFrom('playground_keys').select('account_id').where('id', '=', id)));
  return row === null ? null : row.account_id as AccountId;
}
