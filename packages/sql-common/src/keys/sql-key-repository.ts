import {
  type AccountId, type Actor, type ApiKey, type ApiKeyId, apiKeyState, type AuditedBy, type Instant, invariant, type JsonObject, type KeyBlocking, type KeyBudget, type KeyChange,
  type KeyCreation, type KeyDirectory, type KeyHash, type KeyHolder, type KeyIssue, type KeyPage, type KeyPageQuery, type KeyRepository, type KeyRotation,
  type KeySpending, later, MILLISECONDS_PER_HOUR, NO_SPENDING, type PlaygroundKey,
} from '@tollgate/core';
import { appendAuditEntry } from '../audit/append-audit-entry.js';
import { deleteBlock, insertBlock } from '../platform/blocks.js';
import { API_KEY_COLUMNS, KEY_SPENDING_COLUMNS } from '../schema/column-lists.js';
import { flagToColumn, instantFromColumn } from '../schema/column-values.js';
import { storableTextOrNull } from '../schema/storable-text.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';
import { apiKeyFromRow, apiKeyToRow, limitToColumns, modelsToColumn } from './api-key-rows.js';
import { keySpendingFromRow } from './key-spending-rows.js';
import { accountOfKey, createPlaygroundKey, findPlaygroundKey } from './playground-keys.js';

interface KeyAddress {
  readonly accountId: AccountId;
  readonly id: ApiKeyId;
}

interface KeyBlockChange {
  readonly state: 'blocked' | 'unblocked';
  readonly by: KeyBlocking;
  readonly details?: JsonObject;
}

/** Keys of an account that were created, or that replaced another one, after `since`. */
interface KeyIssues {
  readonly accountId: AccountId;
  readonly issue: KeyIssue;
  readonly since: Instant;
}

function boundsOf({ models, limit }: ApiKey): JsonObject {
  return { models: models === null ? null : [...models], limit: limit === null ? null : { amount: limit.amount.toString(), period: limit.period } };
}

/** Look-ups by hash use `directory`, which caches. Writing scripts run one after another, so no count changes between their reads and writes. */
export class SqlKeyRepository implements KeyRepository, KeyDirectory {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner, private readonly directory: KeyDirectory) {}

  findByHash(hash: KeyHash): Promise<KeyHolder | null> {
    return this.directory.findByHash(hash);
  }

  async listByAccount(accountId: AccountId): Promise<readonly ApiKey[]> {
    return (await this.runner.read(() => rowsOf(this.newest(accountId)))).map(apiKeyFromRow);
  }

  page(accountId: AccountId, query: KeyPageQuery): Promise<KeyPage | null> {
    return this.runner.read(() => this.readPage(accountId, query));
  }

  countActive(accountId: AccountId, at: Instant): Promise<number> {
    return this.runner.read(() => this.count(accountId, at));
  }

  async hasUsedKey(accountId: AccountId): Promise<boolean> {
    const used = this.queries.selectFrom('api_keys').select('id').where('account_id', '=', accountId).where('last_used_at', 'is not', null).limit(1);
    return await this.runner.read(() => firstOf(used)) !== null;
  }

  async firstIssueAfter(...[accountId, issue, since]: Parameters<KeyRepository['firstIssueAfter']>): Promise<Instant | null> {
    const first = this.issues({ accountId, issue, since }).select('created_at').orderBy('created_at').limit(1);
    const row = await this.runner.read(() => firstOf(first));
    return row === null ? null : instantFromColumn(row.created_at);
  }

  findById(accountId: AccountId, id: ApiKeyId): Promise<ApiKey | null> {
    return this.runner.read(() => this.find({ accountId, id }));
  }

  findPlaygroundKey(accountId: AccountId): Promise<PlaygroundKey | null> {
    return this.runner.read(() => findPlaygroundKey(this.queries, accountId));
  }

  createPlaygroundKey(key: Omit<PlaygroundKey, 'blocked'>, actor: Actor): Promise<PlaygroundKey | null> {
    return this.runner.write(() => createPlaygroundKey(this.queries, key, actor));
  }

  accountOf(id: ApiKeyId): Promise<AccountId | null> {
    return this.runner.read(() => accountOfKey(this.queries, id));
  }

  async spendingOf(budget: KeyBudget): Promise<KeySpending> {
    const [spending = NO_SPENDING] = await this.spendingOfAll([budget]);
    return spending;
  }

  async spendingOfAll(budgets: readonly KeyBudget[]): Promise<readonly KeySpending[]> {
    if (budgets.length === 0) return [];
    const rows = await this.runner.read(() => rowsOf(this.queries.selectFrom('key_spending').select(KEY_SPENDING_COLUMNS)
      .where((row) => row.or(budgets.map(({ lineage, period }) => row.and([row('lineage', '=', lineage), row('period', '=', period)]))))));
    return budgets.map((budget) => {
      const found = rows.find(({ lineage, period }) => lineage === budget.lineage && period === budget.period);
      return found === undefined ? NO_SPENDING : keySpendingFromRow(found);
    });
  }

  create(creation: KeyCreation): Promise<'created' | 'quota-exceeded' | 'too-many-per-hour'> {
    return this.runner.write(() => this.issue(creation));
  }

  rotate(rotation: KeyRotation): Promise<'rotated' | 'not-active' | 'blocked' | 'too-many-per-hour'> {
    return this.runner.write(() => this.replace(rotation));
  }

  revoke(accountId: AccountId, id: ApiKeyId, by: AuditedBy): Promise<boolean> {
    return this.runner.write(() => this.end({ accountId, id }, by));
  }

  change(...[accountId, id, change, by]: Parameters<KeyRepository['change']>): Promise<ApiKey | null> {
    return this.runner.write(() => this.update({ accountId, id }, change, by));
  }

  setBlocked(...[accountId, id, blocked, by]: Parameters<KeyRepository['setBlocked']>): Promise<boolean> {
    return this.runner.write(() => this.block({ accountId, id }, { state: blocked ? 'blocked' : 'unblocked', by }));
  }

  private* find({ accountId, id }: KeyAddress): Script<ApiKey | null> {
    const row = yield* firstOf(this.queries.selectFrom('api_keys').select(API_KEY_COLUMNS).where('id', '=', id).where('account_id', '=', accountId));
    return row === null ? null : apiKeyFromRow(row);
  }

  private newest(accountId: AccountId) {
    return this.queries.selectFrom('api_keys').select(API_KEY_COLUMNS).where('account_id', '=', accountId).orderBy('created_at', 'desc').orderBy('id', 'desc');
  }

  private* readPage(accountId: AccountId, { limit, after }: KeyPageQuery): Script<KeyPage | null> {
    const last = after === null ? null : yield* this.find({ accountId, id: after });
    if (after !== null && last === null) return null;
    const newest = this.newest(accountId).limit(limit + 1);
    const rows = yield* rowsOf(last === null ? newest : newest.where((key) => key.or([
      key('created_at', '<', BigInt(last.createdAt)), key.and([key('created_at', '=', BigInt(last.createdAt)), key('id', '<', last.id)]),
    ])));
    const keys = rows.slice(0, limit).map(apiKeyFromRow);
    return { keys, next: rows.length > limit ? keys.at(-1)?.id ?? null : null };
  }

  private* count(accountId: AccountId, at: Instant): Script<number> {
    const row = yield* firstOf(this.queries.selectFrom('api_keys').select(({ fn }) => fn.countAll<bigint>().as('keys'))
      .where('account_id', '=', accountId).where('revoked_at', 'is', null)
      .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', BigInt(at))])));
    return Number(row?.keys ?? 0n);
  }

  private issues({ accountId, issue, since }: KeyIssues) {
    return this.queries.selectFrom('api_keys')
      .where('account_id', '=', accountId).where('replaces', issue === 'creation' ? 'is' : 'is not', null).where('created_at', '>', BigInt(since));
  }

  private countOfIssues(issues: KeyIssues) {
    return this.issues(issues).select(({ fn }) => fn.countAll<bigint>().as('keys'));
  }

  private* issue({ key, maximumActive, maximumPerHour, actor }: KeyCreation): Script<'created' | 'quota-exceeded' | 'too-many-per-hour'> {
    const { id, accountId, name, expiresAt, createdAt: at } = key;
    if ((yield* this.count(accountId, at)) >= maximumActive) return 'quota-exceeded';
    const created = yield* firstOf(this.countOfIssues({ accountId, issue: 'creation', since: later(at, -MILLISECONDS_PER_HOUR) }));
    if ((created?.keys ?? 0n) >= maximumPerHour) return 'too-many-per-hour';
    yield* this.insert(key, null);
    yield* appendAuditEntry(this.queries, { actor, at, action: 'key.created', subject: id, accountId, details: { expiresAt }, texts: { name } });
    return 'created';
  }

  private* replace({ accountId, revokedId, replacement, maximumPerHour, actor }: KeyRotation): Script<'rotated' | 'not-active' | 'blocked' | 'too-many-per-hour'> {
    const at = replacement.createdAt;
    const rotations = this.countOfIssues({ accountId, issue: 'rotation', since: later(at, -MILLISECONDS_PER_HOUR) });
    const revoked = yield* changesOf(this.queries.updateTable('api_keys').set({ revoked_at: at, updated_at: at })
      .where('id', '=', revokedId).where('account_id', '=', accountId).where('revoked_at', 'is', null).where('blocked', '=', 0n)
      .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', BigInt(at))]))
      .where(rotations, '<', BigInt(maximumPerHour)));
    const key = yield* this.find({ accountId, id: revokedId });
    if (revoked === 0) {
      if (key === null || apiKeyState(key, at) !== 'active') return 'not-active';
      return key.blocked ? 'blocked' : 'too-many-per-hour';
    }
    invariant(key !== null, 'the key was revoked in this transaction');
    // The caller's copy of the terms may be outdated, so the stored terms are used.
    const { name, expiresAt, models, limit, lineage } = key;
    yield* this.insert({ ...replacement, name, expiresAt, models, limit, lineage }, revokedId);
    yield* appendAuditEntry(this.queries, { actor, at, action: 'key.revoked', subject: revokedId, accountId, details: { replacement: replacement.id } });
    yield* appendAuditEntry(this.queries, { actor, at, action: 'key.created', subject: replacement.id, accountId, details: { replaces: revokedId } });
    return 'rotated';
  }

  private* update({ accountId, id }: KeyAddress, change: KeyChange, act: AuditedBy): Script<ApiKey | null> {
    const key = yield* this.find({ accountId, id });
    if (key === null || key.revokedAt !== null) return null;
    const changed = { ...key, ...change };
    const models = modelsToColumn(changed.models);
    yield* changesOf(this.queries.updateTable('api_keys').set({ name: storableTextOrNull(changed.name), models, ...limitToColumns(changed.limit), updated_at: act.at }).where('id', '=', id));
    yield* appendAuditEntry(this.queries, { ...act, action: 'key.changed', subject: id, accountId, details: boundsOf(changed), texts: { name: changed.name } });
    return yield* this.find({ accountId, id });
  }

  private* end({ accountId, id }: KeyAddress, act: AuditedBy): Script<boolean> {
    const revoked = yield* changesOf(this.queries.updateTable('api_keys').set({ revoked_at: act.at, updated_at: act.at })
      .where('id', '=', id).where('account_id', '=', accountId).where('revoked_at', 'is', null));
    if (revoked === 0) return false;
    yield* appendAuditEntry(this.queries, { ...act, action: 'key.revoked', subject: id, accountId, details: {} });
    return true;
  }

  private* block(address: KeyAddress, change: KeyBlockChange): Script<boolean> {
    const blocked = flagToColumn(change.state === 'blocked');
    const changed = yield* changesOf(this.queries.updateTable('api_keys').set({ blocked, updated_at: change.by.at })
      .where('id', '=', address.id).where('account_id', '=', address.accountId).where('blocked', '<>', BigInt(blocked)));
    if (changed === 0) return (yield* this.find(address)) !== null || (yield* this.blockPlaygroundKey(address, change));
    yield* this.recordBlock(address, change);
    return true;
  }

  private* blockPlaygroundKey({ accountId, id }: KeyAddress, change: KeyBlockChange): Script<boolean> {
    const key = yield* findPlaygroundKey(this.queries, accountId);
    if (key === null || key.id !== id) return false;
    if (key.blocked !== (change.state === 'blocked')) yield* this.recordBlock({ accountId, id }, { ...change, details: { playground: true } });
    return true;
  }

  private* recordBlock({ accountId, id }: KeyAddress, { state, by, details: more = {} }: KeyBlockChange): Script<void> {
    if (state === 'blocked') yield* insertBlock(this.queries, { kind: 'key', subject: id }, by);
    else yield* deleteBlock(this.queries, { kind: 'key', subject: id });
    const { actor, at, expiresAt = null, reason = null } = by;
    const details = state === 'blocked' ? { expiresAt, ...more } : more;
    yield* appendAuditEntry(this.queries, { actor, at, action: `key.${state}`, subject: id, accountId, details, texts: { reason } });
  }

  private* insert(key: ApiKey, replaces: ApiKeyId | null): Script<void> {
    yield* changesOf(this.queries.insertInto('api_keys').values(apiKeyToRow(key, replaces)));
  }
}
