import type { Balance } from '../billing/balance.js';
import type { MoneyActKind } from '../billing/money-act.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, PersonId, RequestId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { AccountSearchQuery, FoundAccounts } from './account-search.js';

export interface BookedMoneyAct {
  /** Increases in the order of booking. */
  readonly number: number;
  readonly kind: MoneyActKind;
  /** Negative if the act lowered the balance. */
  readonly amount: ServiceTokens;
  /** `null` unless `kind` is `refund`. */
  readonly requestId: RequestId | null;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly at: Instant;
}

export interface MoneyActQuery {
  readonly limit: number;
  /** Last act of the previous page; `null` for the first page. */
  readonly before: number | null;
}

export interface MoneyActPage {
  readonly acts: readonly BookedMoneyAct[];
  /** Pass it as `before`; `null` on the last page. */
  readonly next: number | null;
}

/** The name and hint by which lists show a key. */
export interface KeyLabel {
  readonly id: ApiKeyId;
  readonly name: string | null;
  /** `null` for the key of the playground. */
  readonly hint: string | null;
}

/** The name and address by which lists show an account or a person. */
export interface HolderLabel {
  readonly id: AccountId | PersonId;
  readonly name: string;
  readonly email: string;
}

/** Finds at most `limit` keys whose name or hint contains the text; letter case does not matter. */
export interface KeySearch {
  /** `null` for all accounts. */
  readonly accountId: AccountId | null;
  /** Empty for all keys. */
  readonly text: string;
  readonly limit: number;
}

/** All look-ups use an index, except `searchAccounts`, and `findKeys` without an account. */
export interface OperatorLookups {
  /** Reads all accounts, off the event loop. */
  searchAccounts(query: AccountSearchQuery): Promise<FoundAccounts>;
  /** In the order of `ids`; `null` for an unknown account. */
  balancesOf(ids: readonly AccountId[]): Promise<readonly (Balance | null)[]>;
  /** When each account's own fields or standing last changed; bookings do not count. In the order of `ids`; `null` for an unknown account. */
  accountUpdatesOf(ids: readonly AccountId[]): Promise<readonly (Instant | null)[]>;
  /** When each key was last changed, blocked, unblocked or revoked; use does not count. In the order of `ids`; `null` for an unknown key. */
  keyUpdatesOf(ids: readonly ApiKeyId[]): Promise<readonly (Instant | null)[]>;
  /** Includes revoked and playground keys; omits unknown keys and, unless `accountId` is `null`, keys of other accounts. */
  keyLabels(ids: readonly ApiKeyId[], accountId: AccountId | null): Promise<readonly KeyLabel[]>;
  /** Omits deleted and unknown accounts and people. */
  holderLabels(ids: readonly HolderLabel['id'][]): Promise<readonly HolderLabel[]>;
  /** Newest first; includes revoked keys, omits playground keys. Without an account, searches the keys of all accounts. */
  findKeys(search: KeySearch): Promise<readonly KeyLabel[]>;
  /** Newest first; excludes charges of requests. */
  moneyActs(accountId: AccountId, query: MoneyActQuery): Promise<MoneyActPage>;
  /** `null` if no act is booked under the reference. */
  moneyAct(accountId: AccountId, reference: string): Promise<BookedMoneyAct | null>;
}
