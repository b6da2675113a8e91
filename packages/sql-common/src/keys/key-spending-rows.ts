import { type KeySpending, ServiceTokens } from '@tollgate/core';

export interface KeySpendingRow {
  readonly spent: bigint;
  readonly reserved: bigint;
}

export function keySpendingFromRow({ spent, reserved }: KeySpendingRow): KeySpending {
  return { spent: ServiceTokens.fromUnits(spent), reserved: ServiceTokens.fromUnits(reserved) };
}
