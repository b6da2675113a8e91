import { type Account, type AccountId, type Balance, type KeyMark, type MoneyActPage, type MoneyActQuery, MOST_ACCOUNTS_BY_KEY, type OperatorLookups } from '@tollgate/core';
import type { MemoryAccounts } from '../accounts/memory-accounts.js';
import type { MemoryKeys } from '../keys/memory-keys.js';
import type { MemoryLedger } from '../ledger/memory-ledger.js';

export interface MemoryLookupParts {
  readonly accounts: MemoryAccounts;
  readonly keys: MemoryKeys;
  readonly ledger: MemoryLedger;
}

/** What operators look up in the memory adapters. */
export class MemoryOperatorLookups implements OperatorLookups {
  constructor(private readonly parts: MemoryLookupParts) {}

  async accountsByKey(mark: KeyMark): Promise<readonly Account[]> {
    const { keys, accounts } = this.parts;
    const ids = new Set(mark.kind === 'id' ? [keys.accountWith(mark.id)] : keys.endingIn(mark.ending).map(({ accountId }) => accountId));
    return [...ids].slice(0, MOST_ACCOUNTS_BY_KEY).flatMap((id) => (id === null ? [] : accounts.get(id) ?? []));
  }

  balancesOf(ids: readonly AccountId[]): Promise<readonly (Balance | null)[]> {
    return Promise.all(ids.map((id) => this.parts.ledger.balanceOf(id)));
  }

  async moneyActs(accountId: AccountId, query: MoneyActQuery): Promise<MoneyActPage> {
    return this.parts.ledger.moneyActs.page(accountId, query);
  }
}
