import { type Balance, MAX_BALANCE, ServiceTokens } from '@tollgate/core';

/** Largest balance in micro-tokens. It is far below 2^63, so that the sum of two cannot overflow. */
export const MAX_UNITS = MAX_BALANCE.toUnits();

/** Returns the units, or the largest amount that can be stored if they exceed it. */
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
