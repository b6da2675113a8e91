import { type Balance, MAX_BALANCE, ServiceTokens } from '@tollgate/core';

/** Far below 2^63, so that sums of two cannot overflow. */
export const MAX_UNITS = MAX_BALANCE.toUnits();

/** Units, clipped to the largest amount that can be stored. */
export function storableUnits(units: bigint): bigint {
  return units > MAX_UNITS ? MAX_UNITS : units;
}

export interface BalanceRow {
  readonly balance: bigint;
  readonly reserved: bigint;
}

export function balanceFromRow({ balance, reserved }: BalanceRow): Balance {
  return { posted: ServiceTokens.fromUnits(balance), reserved: ServiceTokens.fromUnits(reserved) };
}
