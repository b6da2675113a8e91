import type { KeyBudget, KeySpending } from '../billing/key-limit.js';
import type { Actor } from '../platform/actor.js';
import type { BlockTerms } from '../platform/block.js';
import type { AccountId, ApiKeyId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { ApiKey } from './api-key.js';

/** For booking playground requests. Has no secret, so it cannot authenticate. At most one per account. */
export interface PlaygroundKey {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  readonly createdAt: Instant;
  readonly blocked: boolean;
}

export interface KeyCreation {
  readonly key: ApiKey;
  readonly maximumActive: number;
  readonly maximumPerHour: number;
  readonly actor: Actor;
}

export interface KeyRotation {
  readonly accountId: AccountId;
  readonly revokedId: ApiKeyId;
  readonly replacement: ApiKey;
  /** Per account, including this one. */
  readonly maximumPerHour: number;
  readonly actor: Actor;
}

export type KeyIssue = 'creation' | 'rotation';

export interface KeyPageQuery {
  readonly limit: number;
  /** Last key of the previous page; `null` for the first page. */
  readonly after: ApiKeyId | null;
}

export interface KeyPage {
  readonly keys: readonly ApiKey[];
  /** Pass it as `after`; `null` on the last page. */
  readonly next: ApiKeyId | null;
}

/** Omitted fields stay unchanged. */
export type KeyChange = Partial<Pick<ApiKey, 'name' | 'models' | 'limit'>>;

/** The terms of a block; an unblocking has none. */
export type KeyBlocking = { readonly actor: Actor; readonly at: Instant } & Partial<BlockTerms>;

/** Audits every write in the same transaction. Methods ignore playground keys unless they state otherwise. */
export interface KeyRepository {
  /** Newest first, including revoked ones. */
  listByAccount(accountId: AccountId): Promise<readonly ApiKey[]>;
  /** As `listByAccount`, in pages. `null` if `after` is not a key of the account. */
  page(accountId: AccountId, query: KeyPageQuery): Promise<KeyPage | null>;
  countActive(accountId: AccountId, at: Instant): Promise<number>;
  /** True once a request with one of its keys was settled, also after the key is revoked. */
  hasUsedKey(accountId: AccountId): Promise<boolean>;
  /** `null` if there was no creation or rotation. */
  firstIssueAfter(accountId: AccountId, issue: KeyIssue, since: Instant): Promise<Instant | null>;
  findById(accountId: AccountId, id: ApiKeyId): Promise<ApiKey | null>;
  /** `null` before it is created. */
  findPlaygroundKey(accountId: AccountId): Promise<PlaygroundKey | null>;
  /** Concurrent calls return the same key. `null` if the account does not exist or is deleted. */
  createPlaygroundKey(key: Omit<PlaygroundKey, 'blocked'>, actor: Actor): Promise<PlaygroundKey | null>;
  /** Includes playground keys; `null` for an unknown key. */
  accountOf(id: ApiKeyId): Promise<AccountId | null>;
  /** Checks both limits and inserts in one statement: concurrent calls cannot exceed them. */
  create(creation: KeyCreation): Promise<'created' | 'quota-exceeded' | 'too-many-per-hour'>;
  /**
   * Atomic. The replacement has the key's current name, expiry, models, limit and lineage. `not-active`: revoked or expired. `blocked`: a
   * replacement would evade the operator's block. `too-many-per-hour` holds for concurrent calls too.
   */
  rotate(rotation: KeyRotation): Promise<'rotated' | 'not-active' | 'blocked' | 'too-many-per-hour'>;
  /** False if the account has no such key or it is already revoked. */
  revoke(accountId: AccountId, id: ApiKeyId, by: { readonly actor: Actor; readonly at: Instant }): Promise<boolean>;
  spendingOf(budget: KeyBudget): Promise<KeySpending>;
  /** In the order of the budgets. */
  spendingOfAll(budgets: readonly KeyBudget[]): Promise<readonly KeySpending[]>;
  /** `null` if the account has no such key, or a revoked one. */
  change(accountId: AccountId, id: ApiKeyId, change: KeyChange, by: { readonly actor: Actor; readonly at: Instant }): Promise<ApiKey | null>;
  /** Includes playground keys. False if the account has no such key. A blocked key keeps its terms. */
  setBlocked(accountId: AccountId, id: ApiKeyId, blocked: boolean, by: KeyBlocking): Promise<boolean>;
}
