import {
  type AccountId, type Actor, type ApiKey, type ApiKeyId, apiKeyState, type AuditedAct, type Instant, type KeyBlocking, type KeyBudget,
  type KeyChange, type KeyCreation, type KeyHash, type KeyHolder, type KeyIssue, type KeyPage, type KeyPageQuery, type KeyDirectory, type KeyRepository, type KeyRotation,
  type KeySpending, later, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, type PlaygroundKey,
} from '@tollgate/core';
import type { MemoryAccounts } from './memory-accounts.js';
import type { MemoryBlocks } from './memory-blocks.js';
import type { MemoryAuditTrail } from './memory-audit-trail.js';
import type { MemoryKeySpending } from './memory-key-spending.js';
import { MemoryPlaygroundKeys } from './memory-playground-keys.js';

export interface MemoryKeysParts {
  readonly accounts: MemoryAccounts;
  readonly audit: MemoryAuditTrail;
  readonly spending: MemoryKeySpending;
  readonly blocks: MemoryBlocks;
}

interface By { readonly actor: Actor; readonly at: Instant }
type KeyEvent = Pick<AuditedAct, 'action' | 'details' | 'texts'>;

/** Audited properties of a changed key, except its name. */
function boundsOf({ models, limit }: ApiKey): AuditedAct['details'] {
  return { models: models === null ? null : [...models], limit: limit === null ? null : { amount: limit.amount.toString(), period: limit.period } };
}

export class MemoryKeys implements KeyRepository, KeyDirectory {
  readonly #keys = new Map<ApiKeyId, ApiKey>();
  readonly #idsByHash = new Map<KeyHash, ApiKeyId>();
  /** Keys created by rotation; their hourly limit is separate from that of other new keys. */
  readonly #replacements = new Set<ApiKeyId>();
  readonly #idsByAccount = new Map<AccountId, ApiKeyId[]>();

  readonly #playgrounds: MemoryPlaygroundKeys;

  constructor(private readonly parts: MemoryKeysParts) {
    this.#playgrounds = new MemoryPlaygroundKeys(parts);
  }

  findByHash(hash: KeyHash): Promise<KeyHolder | null> {
    const id = this.#idsByHash.get(hash);
    const key = id === undefined ? undefined : this.#keys.get(id);
    const account = key === undefined ? null : this.parts.accounts.get(key.accountId);
    return Promise.resolve(key === undefined || account === null ? null : { key, account });
  }

  listByAccount(accountId: AccountId): Promise<readonly ApiKey[]> {
    return Promise.resolve(this.#newestFirst(accountId));
  }

  findById(accountId: AccountId, id: ApiKeyId): Promise<ApiKey | null> {
    return Promise.resolve(this.#find(accountId, id));
  }

  page(accountId: AccountId, { limit, after }: KeyPageQuery): Promise<KeyPage | null> {
    if (after !== null && this.#find(accountId, after) === null) return Promise.resolve(null);
    const all = this.#newestFirst(accountId);
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const keys = all.slice(start, start + limit);
    return Promise.resolve({ keys, next: start + limit < all.length ? keys.at(-1)?.id ?? null : null });
  }

  countActive(accountId: AccountId, at: Instant): Promise<number> {
    return Promise.resolve(this.#keysOf(accountId).filter((key) => apiKeyState(key, at) === 'active').length);
  }

  hasUsedKey(accountId: AccountId): Promise<boolean> {
    return Promise.resolve(this.#keysOf(accountId).some(({ lastUsedAt }) => lastUsedAt !== null));
  }

  firstIssueAfter(accountId: AccountId, issue: KeyIssue, since: Instant): Promise<Instant | null> {
    return Promise.resolve(this.#issuedAfter(accountId, issue, since)[0]?.createdAt ?? null);
  }

  spendingOfAll(budgets: readonly KeyBudget[]): Promise<readonly KeySpending[]> {
    return Promise.resolve(budgets.map((budget) => this.parts.spending.of(budget)));
  }

  findPlaygroundKey(accountId: AccountId): Promise<PlaygroundKey | null> {
    return Promise.resolve(this.#playgrounds.find(accountId));
  }

  createPlaygroundKey(key: Omit<PlaygroundKey, 'blocked'>, actor: Actor): Promise<PlaygroundKey | null> {
    return Promise.resolve(this.#playgrounds.create(key, actor));
  }

  accountOf(id: ApiKeyId): Promise<AccountId | null> {
    return Promise.resolve(this.accountWith(id));
  }

  /** Like `accountOf`, without a promise, for adapters that act in one synchronous step. */
  accountWith(id: ApiKeyId): AccountId | null {
    return this.#keys.get(id)?.accountId ?? this.#playgrounds.accountWith(id);
  }

  spendingOf(budget: KeyBudget): Promise<KeySpending> {
    return Promise.resolve(this.parts.spending.of(budget));
  }

  create({ key, maximumActive, maximumPerHour, actor }: KeyCreation): Promise<'created' | 'quota-exceeded' | 'too-many-per-hour'> {
    const keys = this.#keysOf(key.accountId);
    const now = key.createdAt;
    if (keys.filter((other) => apiKeyState(other, now) === 'active').length >= maximumActive) return Promise.resolve('quota-exceeded');
    const recent = this.#issuedAfter(key.accountId, 'creation', later(now, -MILLISECONDS_PER_HOUR));
    if (recent.length >= maximumPerHour) return Promise.resolve('too-many-per-hour');
    this.#insert(key, { action: 'key.created', details: { expiresAt: key.expiresAt }, texts: { name: key.name } }, actor);
    return Promise.resolve('created');
  }

  rotate({ accountId, revokedId, replacement, maximumPerHour, actor }: KeyRotation): Promise<'rotated' | 'not-active' | 'blocked' | 'too-many-per-hour'> {
    const key = this.#find(accountId, revokedId);
    const at = replacement.createdAt;
    if (key === null || apiKeyState(key, at) !== 'active') return Promise.resolve('not-active');
    if (key.blocked) return Promise.resolve('blocked');
    const recent = this.#issuedAfter(accountId, 'rotation', later(at, -MILLISECONDS_PER_HOUR));
    if (recent.length >= maximumPerHour) return Promise.resolve('too-many-per-hour');
    this.#change({ ...key, revokedAt: at }, { action: 'key.revoked', details: { replacement: replacement.id } }, { actor, at });
    this.#replacements.add(replacement.id);
    const { name, expiresAt, models, limit, lineage } = key;
    this.#insert({ ...replacement, name, expiresAt, models, limit, lineage }, { action: 'key.created', details: { replaces: revokedId } }, actor);
    return Promise.resolve('rotated');
  }

  revoke(accountId: AccountId, id: ApiKeyId, by: By): Promise<boolean> {
    const key = this.#find(accountId, id);
    if (key === null || key.revokedAt !== null) return Promise.resolve(false);
    this.#change({ ...key, revokedAt: by.at }, { action: 'key.revoked', details: {} }, by);
    return Promise.resolve(true);
  }

  change(accountId: AccountId, id: ApiKeyId, ...[change, by]: [change: KeyChange, by: By]): Promise<ApiKey | null> {
    const key = this.#find(accountId, id);
    if (key === null || key.revokedAt !== null) return Promise.resolve(null);
    const changed = { ...key, ...change };
    this.#change(changed, { action: 'key.changed', details: boundsOf(changed), texts: { name: changed.name } }, by);
    return Promise.resolve(changed);
  }

  setBlocked(accountId: AccountId, id: ApiKeyId, ...[blocked, by]: [blocked: boolean, by: KeyBlocking]): Promise<boolean> {
    const key = this.#find(accountId, id);
    if (key === null) return Promise.resolve(this.#playgrounds.setBlocked({ accountId, id }, blocked, by));
    if (key.blocked === blocked) return Promise.resolve(true);
    const target = { kind: 'key', subject: id } as const;
    if (blocked) this.parts.blocks.insert(target, by);
    else this.parts.blocks.delete(target);
    const { expiresAt = null, reason = null } = by;
    this.#change({ ...key, blocked }, { action: blocked ? 'key.blocked' : 'key.unblocked', details: blocked ? { expiresAt } : {}, texts: { reason } }, by);
    return Promise.resolve(true);
  }

  /** Revokes all keys of a deleted account, including its playground key, and removes their names. */
  endAll(accountId: AccountId, by: By): void {
    this.#playgrounds.end(accountId, by);
    for (const key of this.#keysOf(accountId)) {
      this.parts.blocks.delete({ kind: 'key', subject: key.id });
      if (key.revokedAt === null) this.#change({ ...key, name: null, revokedAt: by.at }, { action: 'key.revoked', details: {} }, by);
      else this.#keys.set(key.id, { ...key, name: null });
    }
  }

  /** Writes no audit entry; the caller writes one. */
  endBlock(id: ApiKeyId): void {
    const key = this.#keys.get(id);
    if (key !== undefined) this.#keys.set(id, { ...key, blocked: false });
  }

  /** Records the last use, at most once a minute, as the databases do. Ignores unknown keys. */
  noteUse(id: ApiKeyId, at: Instant): void {
    const key = this.#keys.get(id);
    if (key === undefined) return;
    if (key.lastUsedAt === null || key.lastUsedAt <= at - MILLISECONDS_PER_MINUTE) this.#keys.set(id, { ...key, lastUsedAt: at });
  }

  #find(accountId: AccountId, id: ApiKeyId): ApiKey | null {
    const key = this.#keys.get(id);
    return key === undefined || key.accountId !== accountId ? null : key;
  }

  /** Ordered from oldest to newest. */
  #keysOf(accountId: AccountId): readonly ApiKey[] {
    return (this.#idsByAccount.get(accountId) ?? []).flatMap((id) => this.#keys.get(id) ?? []);
  }

  #newestFirst(accountId: AccountId): readonly ApiKey[] {
    return this.#keysOf(accountId).toReversed().toSorted((first, second) => second.createdAt - first.createdAt);
  }

  /** Ordered from oldest to newest. */
  #issuedAfter(accountId: AccountId, issue: KeyIssue, since: Instant): readonly ApiKey[] {
    return this.#keysOf(accountId).filter(({ id, createdAt }) => createdAt > since && this.#replacements.has(id) === (issue === 'rotation'));
  }

  #insert(key: ApiKey, event: KeyEvent, actor: Actor): void {
    this.#idsByHash.set(key.hash, key.id);
    this.#idsByAccount.set(key.accountId, [...(this.#idsByAccount.get(key.accountId) ?? []), key.id]);
    this.#change(key, event, { actor, at: key.createdAt });
  }

  #change(key: ApiKey, event: KeyEvent, { actor, at }: By): void {
    this.#keys.set(key.id, key);
    this.parts.audit.record({ actor, ...event, subject: key.id, accountId: key.accountId, at });
  }
}
