import type { KeyBudget, KeySpending } from '../billing/key-limit.js';
import type { Actor } from '../platform/actor.js';
import type { BlockTerms } from '../platform/block.js';
import type { AccountId, ApiKeyId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { ApiKey } from './api-key.js';

/** Key under which playground requests are booked. It has no secret, so it cannot authenticate. An account has at most one. */
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
  /** Per account, including this rotation. */
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

/** Who blocks or unblocks a key and when; for a block, also its terms. */
export type KeyBlocking = { readonly actor: Actor; readonly at: Instant } & Partial<BlockTerms>;

/** Audits every write in the same transaction. Methods ignore playground keys unless they state otherwise. */
export interface KeyRepository {
  /** Newest first, including revoked keys. */
  listByAccount(accountId: AccountId): Promise<readonly ApiKey[]>;
  /** As `listByAccount`, in pages. `null` if `after` is not a key of the account. */
  page(accountId: AccountId, query: KeyPageQuery): Promise<KeyPage | null>;
  countActive(accountId: AccountId, at: Instant): Promise<number>;
  /** True once a request with any of the account's keys was settled, even if the key has been revoked since. */
  hasUsedKey(accountId: AccountId): Promise<boolean>;
  /** Time of the first creation or rotation after `since`; `null` if there was none. */
  firstIssueAfter(accountId: AccountId, issue: KeyIssue, since: Instant): Promise<Instant | null>;
  findById(accountId: AccountId, id: ApiKeyId): Promise<ApiKey | null>;
  /** `null` before the playground key is created. */
  findPlaygroundKey(accountId: AccountId): Promise<PlaygroundKey | null>;
  /** Concurrent calls return the same key. `null` if the account does not exist or is deleted. */
  createPlaygroundKey(key: Omit<PlaygroundKey, 'blocked'>, actor: Actor): Promise<PlaygroundKey | null>;
  /** Includes playground keys; `null` for an unknown key. */
  accountOf(id: ApiKeyId): Promise<AccountId | null>;
  /** Checks both limits and inserts in one transaction, so concurrent calls cannot exceed the limits. */
  create(creation: KeyCreation): Promise<'created' | 'quota-exceeded' | 'too-many-per-hour'>;
  /**
   * Atomic. The replacement has the key's current name, expiry, models, limit and lineage. `not-active`: the key is revoked, expired or unknown.
   * `blocked`: a replacement would evade the operator's block. Concurrent calls cannot exceed `maximumPerHour`.
   */
  rotate(rotation: KeyRotation): Promise<'rotated' | 'not-active' | 'blocked' | 'too-many-per-hour'>;
  /** False if the account has no such key or the key is already revoked. */
  revoke(accountId: AccountId, id: ApiKeyId, by: { readonly actor: Actor; readonly at: Instant }): Promise<boolean>;
  spendingOf(budget: KeyBudget): Promise<KeySpending>;
  /** In the order of the budgets. */
  spendingOfAll(budgets: readonly KeyBudget[]): Promise<readonly KeySpending[]>;
  /** `null` if the account has no such key or the key is revoked. */
  change(accountId: AccountId, id: ApiKeyId, change: KeyChange, by: { readonly actor: Actor; readonly at: Instant }): Promise<ApiKey | null>;
  /** Includes playground keys. False if the account has no such key. Blocking a blocked key does not change the terms of its block. */
  setBlocked(accountId: AccountId, id: ApiKeyId, blocked: boolean, by: KeyBlocking): Promise<boolean>;
}
