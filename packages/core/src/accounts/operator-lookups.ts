import type { Balance } from '../billing/balance.js';
import type { MoneyActKind } from '../billing/money-act.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, RequestId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { AccountSearchQuery, FoundAccounts } from './account-search.js';

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

/** All but the search use an index. */
export interface OperatorLookups {
  /** Reads all accounts, apart from the event loop. */
  searchAccounts(query: AccountSearchQuery): Promise<FoundAccounts>;
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
