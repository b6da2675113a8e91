import type { ServiceTokens } from '../money/service-tokens.js';

/** `posted` is what the ledger sums to; `reserved` is the part that running requests hold. */
export interface Balance {
  readonly posted: ServiceTokens;
  readonly reserved: ServiceTokens;
}

/** What can still be reserved. Never stored, never negative. */
export function availableOf(balance: Balance): ServiceTokens {
  return balance.posted.minus(balance.reserved);
}
