import type { Balance } from '../billing/balance.js';
import type { MoneyAct } from '../billing/money-act.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, RequestId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Account } from './account.js';

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
