import type { AccountId, Actor, ApiKeyId, KeyBlocking, PlaygroundKey } from '@tollgate/core';
import { sql } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { deleteBlock, insertBlock } from '../platform/platform-rows.js';
import { instantFromColumn } from '../schema/column-values.js';
import { changesOf, firstOf, type Queries, type Script } from '../script.js';
import type { KeyAct, KeyAddress } from './key-scripts.js';

type StoredKey = Omit<PlaygroundKey, 'blocked'>;

/** It is blocked while the blocklist names it. */
export function* findPlaygroundKey(queries: Queries, accountId: AccountId): Script<PlaygroundKey | null> {
  const row = yield* firstOf(queries.selectFrom('playground_keys')
    .leftJoin('blocks', (join) => join.onRef('blocks.subject', '=', 'playground_keys.id').on('blocks.kind', '=', 'key'))
    .select(['playground_keys.id', 'playground_keys.created_at', 'blocks.subject as blocked']).where('account_id', '=', accountId));
  return row === null ? null : { id: row.id as ApiKeyId, accountId, createdAt: instantFromColumn(row.created_at), blocked: row.blocked !== null };
}

/** Makes the key unless the account has one or is deleted; the one that the account then has. */
export function* createPlaygroundKey(queries: Queries, { id, accountId, createdAt: at }: StoredKey, actor: Actor): Script<PlaygroundKey | null> {
  const inserted = yield* changesOf(queries.insertInto('playground_keys').columns(['account_id', 'id', 'created_at'])
    .expression(queries.selectFrom('accounts')
      .select(['id as account_id', sql<string>`cast(${id} as text)`.as('id'), sql<bigint>`cast(${BigInt(at)} as bigint)`.as('created_at')])
      .where('id', '=', accountId).where('status', '<>', 'deleted'))
    .onConflict((conflict) => conflict.column('account_id').doNothing()));
  if (inserted > 0) yield* appendAuditEntry(queries, { actor, at, action: 'key.created', subject: id, accountId, details: { playground: true } });
  return yield* findPlaygroundKey(queries, accountId);
}

/** The account that has a key, also one of a playground. */
export function* accountOfKey(queries: Queries, id: ApiKeyId): Script<AccountId | null> {
  const row = (yield* firstOf(queries.selectFrom('api_keys').select('account_id').where('id', '=', id)))
    ?? (yield* firstOf(queries.selectFrom('playground_keys').select('account_id').where('id', '=', id)));
  return row === null ? null : row.account_id as AccountId;
}

/** `false` when the account has no such key. */
export function* setPlaygroundBlocked(queries: Queries, { accountId, id }: KeyAddress, { state, by }: KeyBlockChange): Script<boolean> {
  const key = yield* findPlaygroundKey(queries, accountId);
  if (key === null || key.id !== id) return false;
  if (key.blocked !== (state === 'blocked')) yield* recordBlock(queries, { accountId, id }, { state, by });
  return true;
}

export interface KeyBlockChange {
  readonly state: 'blocked' | 'unblocked';
  readonly by: KeyBlocking;
}

/** The list of blocks and the audit trail follow a key that was blocked, or is no longer. */
export function* recordBlock(queries: Queries, { accountId, id }: KeyAddress, { state, by }: KeyBlockChange): Script<void> {
  if (state === 'blocked') yield* insertBlock(queries, { kind: 'key', subject: id }, by);
  else yield* deleteBlock(queries, { kind: 'key', subject: id });
  const { actor, at, expiresAt = null, reason = null } = by;
  const details = state === 'blocked' ? { expiresAt } : {};
  yield* appendAuditEntry(queries, { actor, at, action: `key.${state}`, subject: id, accountId, details, texts: { reason } });
}

/** Removes the key of an account that is deleted, with its block. */
export function* endPlaygroundKey(queries: Queries, accountId: AccountId, act: KeyAct): Script<void> {
  const key = yield* findPlaygroundKey(queries, accountId);
  if (key === null) return;
  yield* changesOf(queries.deleteFrom('playground_keys').where('account_id', '=', accountId));
  yield* deleteBlock(queries, { kind: 'key', subject: key.id });
  yield* appendAuditEntry(queries, { ...act, action: 'key.revoked', subject: key.id, accountId, details: {} });
}
