import {
  type AccountId, type Actor, type ApiKey, type ApiKeyId, apiKeyState, type Instant, invariant, type JsonObject, type KeyBlocking,
  type KeyBudget, type KeyChange, type KeyCreation, type KeyIssue, type KeyPage, type KeyPageQuery, type KeyRotation, type KeySpending,
  later, MILLISECONDS_PER_HOUR, NO_SPENDING, type PlaygroundKey,
} from '@tollgate/core';
import { sql } from 'kysely';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { deleteBlock, insertBlock } from '../platform/block-scripts.js';
import { API_KEY_COLUMNS } from '../schema/column-lists.js';
import { flagToColumn, instantFromColumn, storableTextOrNull } from '../schema/columns.js';
import { changesOf, firstOf, type Queries, rowsOf, type Script } from '../script/script.js';
import { apiKeyFromRow, apiKeyToRow, keySpendingFromRow, limitToColumns, modelsToColumn } from './key-rows.js';
import { countActiveKeys, countKeyIssues, firstKeyIssueAfter, listKeyPage, spendingOfBudgets } from './sql-key-repository.js';

type StoredKey = Omit<PlaygroundKey, 'blocked'>;

/** It is blocked while the blocklist names it. */
function* findPlaygroundKey(queries: Queries, accountId: AccountId): Script<PlaygroundKey | null> {
  const row = yield* firstOf(queries.selectFrom('playground_keys')
    .leftJoin('blocks', (join) => join.onRef('blocks.subject', '=', 'playground_keys.id').on('blocks.kind', '=', 'key'))
    .select(['playground_keys.id', 'playground_keys.created_at', 'blocks.subject as blocked']).where('account_id', '=', accountId));
  return row === null ? null : { id: row.id as ApiKeyId, accountId, createdAt: instantFromColumn(row.created_at), blocked: row.blocked !== null };
}

/** Makes the key unless the account has one or is deleted; the one that the account then has. */
function* createPlaygroundKey(queries: Queries, { id, accountId, createdAt: at }: StoredKey, actor: Actor): Script<PlaygroundKey | null> {
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
function* setPlaygroundBlocked(queries: Queries, { accountId, id }: KeyAddress, { state, by }: KeyBlockChange): Script<boolean> {
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
function* recordBlock(queries: Queries, { accountId, id }: KeyAddress, { state, by }: KeyBlockChange): Script<void> {
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

/** Names one key of one account. */
interface KeyAddress {
  readonly accountId: AccountId;
  readonly id: ApiKeyId;
}

interface KeyAct {
  readonly actor: Actor;
  readonly at: Instant;
}

/** What the audit trail says of a key that was changed, beside its name. */
function boundsOf({ models, limit }: ApiKey): JsonObject {
  return { models: models === null ? null : [...models], limit: limit === null ? null : { amount: limit.amount.toString(), period: limit.period } };
}

/** Transactions over API keys, for any SQL database. Serializable, so what they count cannot change before they write. */
export class KeyScripts {
  constructor(private readonly queries: Queries) {}

  * list(accountId: AccountId): Script<readonly ApiKey[]> {
    const rows = yield* rowsOf(this.queries.selectFrom('api_keys').select(API_KEY_COLUMNS)
      .where('account_id', '=', accountId).orderBy('created_at', 'desc').orderBy('id', 'desc'));
    return rows.map(apiKeyFromRow);
  }

  * page(accountId: AccountId, { limit, after }: KeyPageQuery): Script<KeyPage | null> {
    const last = after === null ? null : yield* this.find({ accountId, id: after });
    if (after !== null && last === null) return null;
    return yield* listKeyPage(this.queries, { accountId, limit, last });
  }

  countActive(accountId: AccountId, at: Instant): Script<number> {
    return countActiveKeys(this.queries, accountId, at);
  }

  firstIssueAfter(accountId: AccountId, issue: KeyIssue, since: Instant): Script<Instant | null> {
    return firstKeyIssueAfter(this.queries, accountId, { issue, since });
  }

  spendingOfAll(budgets: readonly KeyBudget[]): Script<readonly KeySpending[]> {
    return spendingOfBudgets(this.queries, budgets);
  }

  * find({ accountId, id }: KeyAddress): Script<ApiKey | null> {
    const row = yield* firstOf(this.queries.selectFrom('api_keys').select(API_KEY_COLUMNS)
      .where('id', '=', id).where('account_id', '=', accountId));
    return row === null ? null : apiKeyFromRow(row);
  }

  findPlayground(accountId: AccountId): Script<PlaygroundKey | null> {
    return findPlaygroundKey(this.queries, accountId);
  }

  createPlayground(key: Omit<PlaygroundKey, 'blocked'>, actor: Actor): Script<PlaygroundKey | null> {
    return createPlaygroundKey(this.queries, key, actor);
  }

  accountOf(id: ApiKeyId): Script<AccountId | null> {
    return accountOfKey(this.queries, id);
  }

  * spendingOf({ lineage, period }: KeyBudget): Script<KeySpending> {
    const row = yield* firstOf(this.queries.selectFrom('key_spending').select(['spent', 'reserved'])
      .where('lineage', '=', lineage).where('period', '=', period));
    return row === null ? NO_SPENDING : keySpendingFromRow(row);
  }

  * create({ key, maximumActive, maximumPerHour, actor }: KeyCreation): Script<'created' | 'quota-exceeded' | 'too-many-per-hour'> {
    if ((yield* this.countActive(key.accountId, key.createdAt)) >= maximumActive) return 'quota-exceeded';
    const since = later(key.createdAt, -MILLISECONDS_PER_HOUR);
    if (((yield* firstOf(countKeyIssues(this.queries, key.accountId, { issue: 'creation', since })))?.keys ?? 0n) >= maximumPerHour) return 'too-many-per-hour';
    yield* this.insert(key, null);
    const { id, accountId, name, expiresAt, createdAt: at } = key;
    yield* appendAuditEntry(this.queries, { actor, at, action: 'key.created', subject: id, accountId, details: { expiresAt }, texts: { name } });
    return 'created';
  }

  * rotate({ accountId, revokedId, replacement, maximumPerHour, actor }: KeyRotation): Script<'rotated' | 'not-active' | 'blocked' | 'too-many-per-hour'> {
    const at = replacement.createdAt;
    const rotations = countKeyIssues(this.queries, accountId, { issue: 'rotation', since: later(at, -MILLISECONDS_PER_HOUR) });
    const revoked = yield* changesOf(this.queries.updateTable('api_keys').set({ revoked_at: at })
      .where('id', '=', revokedId).where('account_id', '=', accountId).where('revoked_at', 'is', null).where('blocked', '=', 0n)
      .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', BigInt(at))]))
      .where(rotations, '<', BigInt(maximumPerHour)));
    if (revoked === 0) {
      const key = yield* this.find({ accountId, id: revokedId });
      if (key === null || apiKeyState(key, at) !== 'active') return 'not-active';
      return key.blocked ? 'blocked' : 'too-many-per-hour';
    }
    yield* this.insert(yield* this.successorOf({ accountId, id: revokedId }, replacement), revokedId);
    yield* appendAuditEntry(this.queries, { actor, at, action: 'key.revoked', subject: revokedId, accountId, details: { replacement: replacement.id } });
    yield* appendAuditEntry(this.queries, { actor, at, action: 'key.created', subject: replacement.id, accountId, details: { replaces: revokedId } });
    return 'rotated';
  }

  * change({ accountId, id }: KeyAddress, change: KeyChange, act: KeyAct): Script<ApiKey | null> {
    const key = yield* this.find({ accountId, id });
    if (key === null || key.revokedAt !== null) return null;
    const changed = { ...key, ...change };
    const models = modelsToColumn(changed.models);
    yield* changesOf(this.queries.updateTable('api_keys').set({ name: storableTextOrNull(changed.name), models, ...limitToColumns(changed.limit) })
      .where('id', '=', id));
    yield* appendAuditEntry(this.queries, { ...act, action: 'key.changed', subject: id, accountId, details: boundsOf(changed), texts: { name: changed.name } });
    return yield* this.find({ accountId, id });
  }

  * revoke({ accountId, id }: KeyAddress, act: KeyAct): Script<boolean> {
    const revoked = yield* changesOf(this.queries.updateTable('api_keys').set({ revoked_at: act.at })
      .where('id', '=', id).where('account_id', '=', accountId).where('revoked_at', 'is', null));
    if (revoked === 0) return false;
    yield* appendAuditEntry(this.queries, { ...act, action: 'key.revoked', subject: id, accountId, details: {} });
    return true;
  }

  * setBlocked({ accountId, id }: KeyAddress, state: 'blocked' | 'unblocked', by: KeyBlocking): Script<boolean> {
    const blocked = flagToColumn(state === 'blocked');
    const changed = yield* changesOf(this.queries.updateTable('api_keys').set({ blocked })
      .where('id', '=', id).where('account_id', '=', accountId).where('blocked', '<>', BigInt(blocked)));
    if (changed > 0) {
      yield* recordBlock(this.queries, { accountId, id }, { state, by });
      return true;
    }
    return (yield* this.find({ accountId, id })) !== null || (yield* setPlaygroundBlocked(this.queries, { accountId, id }, { state, by }));
  }

  private* insert(key: ApiKey, replaces: ApiKeyId | null): Script<void> {
    yield* changesOf(this.queries.insertInto('api_keys').values(apiKeyToRow(key, replaces)));
  }

  /** A replacement with the terms of the key it replaces, as they are now. */
  private* successorOf(address: KeyAddress, replacement: ApiKey): Script<ApiKey> {
    const revoked = yield* this.find(address);
    invariant(revoked !== null, 'the key was revoked in this transaction');
    const { name, expiresAt, models, limit, lineage } = revoked;
    return { ...replacement, name, expiresAt, models, limit, lineage };
  }
}
