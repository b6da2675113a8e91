import type { Account, StandingFacts } from '../accounts/account.js';
import type { AccountId, ApiKeyId, KeyHash, PlanId, RequestId } from '../primitives.js';
import type { BlockTerms } from '../platform/blocks.js';
import type { Instant } from '../time.js';
import type { Actor } from './audit.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Balance } from '../billing/ledger-entry.js';
import type { MoneyAct } from '../billing/money-act.js';
import type { ApiKey, KeyBudget, KeySpending } from '../keys/api-key.js';
import type { PlaygroundKey } from '../keys/key-management.js';

/** What changes about an account beside its standing; fields left out stay as they are. */
export interface AccountChange {
  readonly planId?: PlanId;
  readonly name?: string;
}

/** One step of an account's standing, from the facts that it was decided on. */
export interface StandingMove {
  readonly from: StandingFacts;
  readonly to: StandingFacts;
  /** As the audit trail names it: `account.suspended`. */
  readonly action: string;
  /** Of the block, where the step makes one; left out, it has none. */
  readonly terms?: BlockTerms;
  /** Why it is suspended, where the step suspends it; kept until a step ends the suspension. */
  readonly reason?: string | null;
}

export interface AuditedBy {
  readonly actor: Actor;
  readonly at: Instant;
}

export interface AccountPage {
  readonly accounts: readonly Account[];
  /** Pass it as `after` to read on; `null` at the end. */
  readonly next: AccountId | null;
}

/** Accounts; every write goes into the audit trail in the same transaction. */
export interface AccountRepository {
  findById(id: AccountId): Promise<Account | null>;
  findByEmail(email: string): Promise<Account | null>;
  /** Why an account is suspended, in the words of the operator who did it; `null` where none were given, and while it is not suspended. */
  suspensionReason(id: AccountId): Promise<string | null>;
  /** Oldest first. */
  list(query: { readonly limit: number; readonly after: AccountId | null }): Promise<AccountPage>;
  /** `email-taken` when another account has the same address, whatever its letter case. */
  create(account: Account, actor: Actor): Promise<'created' | 'email-taken'>;
  /** The account as it is afterwards; `null` when there is none. */
  change(id: AccountId, change: AccountChange, by: AuditedBy): Promise<Account | null>;
  /** Takes the step in one conditional statement, and makes or ends the account's block with it; `false` when the account is not in `from` any more. */
  moveStanding(id: AccountId, move: StandingMove, by: AuditedBy): Promise<boolean>;
}

export type DeletionBegun =
  | { readonly outcome: 'deleted'; readonly forfeited: ServiceTokens }
  /** Something is still reserved: its requests settle first. */
  | { readonly outcome: 'requests-running' }
  /** Its owner is the last operator. */
  | { readonly outcome: 'last-operator' }
  /** The account is not in the state on which the deletion was decided any more; another gateway may have deleted it. */
  | { readonly outcome: 'changed-meanwhile' };

/** Where a list of due deletions ended. */
export interface DuePosition {
  readonly id: AccountId;
  readonly dueAt: Instant;
}

/** Carries deletions out. Books and usage stay; what names a person goes. */
export interface AccountErasure {
  /** Accounts whose deletion is due, and deleted ones of which something is left to erase; the longest due first, after a position. */
  dueForDeletion(now: Instant, page: { readonly limit: number; readonly after: DuePosition | null }): Promise<readonly DuePosition[]>;
  /** Whether the account belongs to the only operator there is. */
  ownerIsLastOperator(id: AccountId): Promise<boolean>;
  /**
   * In one transaction, once of all who try: books what is left as a forfeiture, revokes the keys, removes names and address, erases the
   * person who owns the account with all that is theirs, waiting mail and the texts of the audit trail among it, and marks the account
   * deleted. The address is free from then on.
   */
  deleteAccount(id: AccountId, from: StandingFacts, by: AuditedBy): Promise<DeletionBegun>;
  /** Erases what a deleted account left elsewhere, such as replies kept for repetition, some at a time; may be repeated. */
  eraseLeftovers(id: AccountId): Promise<void>;
}

/** A key as operators know it: by its id, or by the last four characters of its secret. */
export type KeyMark =
  | { readonly kind: 'id'; readonly id: ApiKeyId }
  | { readonly kind: 'ending'; readonly ending: string };

/** An act of money as the ledger has booked it. */
export interface BookedMoneyAct {
  /** Its place in the ledger; later acts have larger numbers. */
  readonly number: number;
  readonly kind: MoneyAct['kind'] | 'forfeiture';
  /** Below zero where it lowered the balance. */
  readonly amount: ServiceTokens;
  /** The request that a refund is for. */
  readonly requestId: RequestId | null;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly at: Instant;
}

export interface MoneyActQuery {
  readonly limit: number;
  /** The number of the last act of the page before; `null` for the first page. */
  readonly before: number | null;
}

export interface MoneyActPage {
  readonly acts: readonly BookedMoneyAct[];
  /** Pass it as `before` to read on; `null` at the end. */
  readonly next: number | null;
}

/** The most accounts that one mark of a key leads to. */
export const MOST_ACCOUNTS_BY_KEY = 20;

/** What operators look up and no request does. Every look-up reads an index, never a whole table. */
export interface OperatorLookups {
  /** Each account that has such a key, ended keys included: the one with the newest such key first. At most `MOST_ACCOUNTS_BY_KEY`. */
  accountsByKey(mark: KeyMark): Promise<readonly Account[]>;
  /** The balances of these accounts, in their order; `null` where there is no such account. */
  balancesOf(ids: readonly AccountId[]): Promise<readonly (Balance | null)[]>;
  /** The acts of money of one account, newest first; never charges of requests. */
  moneyActs(accountId: AccountId, query: MoneyActQuery): Promise<MoneyActPage>;
}

export interface KeyHolder {
  readonly key: ApiKey;
  readonly account: Account;
}

/** Who holds a key: the one look-up every request makes. */
export interface KeyDirectory {
  findByHash(hash: KeyHash): Promise<KeyHolder | null>;
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

/** What of a key may be changed; what is left out stays as it is. */
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
