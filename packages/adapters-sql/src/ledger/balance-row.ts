import { type Balance, ServiceTokens } from '@tollgate/core';

export interface BalanceRow {
  readonly balance: bigint;
  readonly reserved: bigint;
}

export function balanceFromRow({ balance, reserved }: BalanceRow): Balance {
  return { posted: ServiceTokens.fromUnits(balance), reserved: ServiceTokens.fromUnits(reserved) };
}
