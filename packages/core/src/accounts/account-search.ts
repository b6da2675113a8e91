import type { Balance } from '../billing/balance.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId, PlanId } from '../primitives/ids.js';
import type { UtcDay } from '../primitives/time.js';
import type { Account, AccountStanding, AccountStatus } from './account.js';

export const ACCOUNT_ORDERS = ['created', 'email', 'available', 'last_used'] as const;
/** Ascending. `email` ignores case; `last_used` begins with accounts that were never used. */
export type AccountOrder = (typeof ACCOUNT_ORDERS)[number];

/** Matches accounts that meet every condition; `null` sets no condition. */
export interface AccountFilter {
  /**
   * Part of a name, an address or an `external_id`, ignoring letter case; the whole id of an account, a person or a key; or the last four characters
   * of a key, alone or in a hint, whose beginning is not compared.
   */
  readonly text: string | null;
  readonly planId: PlanId | null;
  readonly status: AccountStatus | null;
  readonly standing: AccountStanding | null;
  /** Exclusive upper bound of the available balance. */
  readonly availableBelow: ServiceTokens | null;
  /** A request ended on this UTC day or later, even if it was free. */
  readonly usedSince: UtcDay | null;
  /** No request ended on this UTC day or later. */
  readonly unusedSince: UtcDay | null;
}

export const NO_ACCOUNT_FILTER: AccountFilter = {
  text: null, planId: null, status: null, standing: null, availableBelow: null, usedSince: null, unusedSince: null,
};

/** Last account of a page, with the value by which it was ordered. */
export interface FoundPosition {
  readonly value: string;
  readonly id: AccountId;
}

export interface AccountSearchQuery extends AccountFilter {
  readonly order: AccountOrder;
  readonly descending: boolean;
  readonly limit: number;
  readonly after: FoundPosition | null;
}

export interface FoundAccount {
  readonly account: Account;
  readonly balance: Balance;
  /** UTC day on which the last request ended, even if it was free; `null` if there is none. */
  readonly lastUsedOn: UtcDay | null;
}

export interface FoundAccounts {
  readonly found: readonly FoundAccount[];
  /** Pass it as `after`; `null` on the last page. */
  readonly next: FoundPosition | null;
}

const KEY_ENDING = /^(?:sk-[A-Za-z0-9]{2}…)?([A-Za-z0-9]{4})$/;

/** Accepts the last four characters of a key, alone or in a hint (`sk-Ab…wXyZ`), and returns them; `null` for other texts. */
export function keyEndingIn(text: string): string | null {
  return KEY_ENDING.exec(text)?.[1] ?? null;
}
