import type { Balance } from '../billing/balance.js';
import type { MoneyActKind } from '../billing/money-act.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, RequestId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Account } from './account.js';

/** Id of the key, or last four characters of its secret. */
export type KeyMark =
  | { readonly kind: 'id'; readonly id: ApiKeyId }
  | { readonly kind: 'ending'; readonly ending: string };

export interface BookedMoneyAct {
  /** Increases in the order of booking. */
  readonly number: number;
  readonly kind: MoneyActKind;
  /** Negative if it lowered the balance. */
  readonly amount: ServiceTokens;
  /** For refunds only. */
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

export const MAX_ACCOUNTS_BY_KEY = 20;

/** All use an index. */
export interface OperatorLookups {
  /** Includes accounts of ended keys; newest matching key first. At most `MAX_ACCOUNTS_BY_KEY`. */
  accountsByKey(mark: KeyMark): Promise<readonly Account[]>;
  /** In the order of `ids`; `null` for an unknown account. */
  balancesOf(ids: readonly AccountId[]): Promise<readonly (Balance | null)[]>;
  /** When own fields or standing last changed; bookings are no change. In the order of `ids`; `null` for an unknown account. */
  accountUpdatesOf(ids: readonly AccountId[]): Promise<readonly (Instant | null)[]>;
  /** When a key was last changed, blocked, unblocked or revoked; its use is no change. In the order of `ids`; `null` for an unknown key. */
  keyUpdatesOf(ids: readonly ApiKeyId[]): Promise<readonly (Instant | null)[]>;
  /** Newest first; excludes charges of requests. */
  moneyActs(accountId: AccountId, query: MoneyActQuery): Promise<MoneyActPage>;
  /** `null` if nothing is booked under it. */
  moneyAct(accountId: AccountId, reference: string): Promise<BookedMoneyAct | null>;
}
