import type { KeyBudget, KeySpending } from '../billing/key-limit.js';
import type { Actor } from '../platform/actor.js';
import type { BlockTerms } from '../platform/block.js';
import type { AccountId, ApiKeyId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { ApiKey } from './api-key.js';

/** The key of an account's playground: an id to book its requests under, and no secret, so that nothing authenticates with it. An account has at most one. */
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
  /** Rotations of the account in the hour before the replacement is created, this one included. */
  readonly maximumPerHour: number;
  readonly actor: Actor;
}

/** How a key came to be: created, or as the replacement of a rotated one. */
export type KeyIssue = 'creation' | 'rotation';

export interface KeyPageQuery {
  readonly limit: number;
  /** The last key of the page before; `null` for the first page. */
  readonly after: ApiKeyId | null;
}

export interface KeyPage {
  readonly keys: readonly ApiKey[];
  /** Pass it as `after` to read on; `null` at the end. */
  readonly next: ApiKeyId | null;
}

/** The changeable fields of a key; an absent one stays as it is. */
export type KeyChange = Partial<Pick<ApiKey, 'name' | 'models' | 'limit'>>;

/** Who blocks a key or ends its block; the terms of a block, unless it has none. */
export type KeyBlocking = { readonly actor: Actor; readonly at: Instant } & Partial<BlockTerms>;

/**
 * API keys; every write goes into the audit trail in the same transaction. The key of a playground is in no list and no number, and no
 * operation finds it but those that say so.
 */
export interface KeyRepository {
  /** Newest first, revoked ones included. */
  listByAccount(accountId: AccountId): Promise<readonly ApiKey[]>;
  /** The same in pages. `null` when `after` is no key of the account. */
  page(accountId: AccountId, query: KeyPageQuery): Promise<KeyPage | null>;
  countActive(accountId: AccountId, at: Instant): Promise<number>;
  /** When the first creation or rotation after `since` was; `null` when there is none. */
  firstIssueAfter(accountId: AccountId, issue: KeyIssue, since: Instant): Promise<Instant | null>;
  findById(accountId: AccountId, id: ApiKeyId): Promise<ApiKey | null>;
  /** The key of the account's playground; `null` until it is made. */
  findPlaygroundKey(accountId: AccountId): Promise<PlaygroundKey | null>;
  /**
   * Makes it in one conditional statement, unless the account has one; resolves with the one that the account then has, so that simultaneous
   * calls get the same. `null` when there is no such account or it is deleted.
   */
  createPlaygroundKey(key: Omit<PlaygroundKey, 'blocked'>, actor: Actor): Promise<PlaygroundKey | null>;
  /** The account that has a key, also one of a playground; `null` when there is no such key. */
  accountOf(id: ApiKeyId): Promise<AccountId | null>;
  /** Checks both limits and inserts in one statement, so that simultaneous creations cannot exceed them. */
  create(creation: KeyCreation): Promise<'created' | 'quota-exceeded' | 'too-many-per-hour'>;
  /**
   * Revokes one key and inserts its replacement, both or neither; `not-active` when it was revoked or expired already, `blocked` when operators have blocked it,
   * which a replacement would undo; `too-many-per-hour` where the account has no rotation left, also under simultaneous ones.
   * The replacement takes name, expiry date, models, limit and lineage from the revoked key as it is in that step, whatever it says itself.
   */
  rotate(rotation: KeyRotation): Promise<'rotated' | 'not-active' | 'blocked' | 'too-many-per-hour'>;
  /** `false` when the account has no such key or it is revoked already. */
  revoke(accountId: AccountId, id: ApiKeyId, by: { readonly actor: Actor; readonly at: Instant }): Promise<boolean>;
  /** What counts against a budget so far; written by the ledger alone. */
  spendingOf(budget: KeyBudget): Promise<KeySpending>;
  /** The same of several budgets, in their order. */
  spendingOfAll(budgets: readonly KeyBudget[]): Promise<readonly KeySpending[]>;
  /** The key as it is then; `null` when the account has no such key or it is revoked. */
  change(accountId: AccountId, id: ApiKeyId, change: KeyChange, by: { readonly actor: Actor; readonly at: Instant }): Promise<ApiKey | null>;
  /** Puts a key, also one of a playground, on the blocklist, or takes it off. `false` when the account has no such key; one that is blocked already keeps its terms. */
  setBlocked(accountId: AccountId, id: ApiKeyId, blocked: boolean, by: KeyBlocking): Promise<boolean>;
}
