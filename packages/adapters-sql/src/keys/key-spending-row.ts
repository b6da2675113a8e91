import { type ApiKeyId, type KeyBudget, type KeySpending, ServiceTokens } from '@tollgate/core';

export interface KeySpendingRow {
  readonly spent: bigint;
  readonly reserved: bigint;
}

/** The columns of a reservation that name what it counts against. */
export interface BudgetColumns {
  readonly key_lineage: string | null;
  readonly key_period: string | null;
  readonly key_limit: bigint | null;
}

export function keySpendingFromRow({ spent, reserved }: KeySpendingRow): KeySpending {
  return { spent: ServiceTokens.fromUnits(spent), reserved: ServiceTokens.fromUnits(reserved) };
}

/** `null` for a reservation whose key had no limit. */
export function budgetFromRow({ key_lineage, key_period, key_limit }: BudgetColumns): KeyBudget | null {
  if (key_lineage === null || key_limit === null) return null;
  return { lineage: key_lineage as ApiKeyId, period: key_period as KeyBudget['period'], limit: ServiceTokens.fromUnits(key_limit) };
}
