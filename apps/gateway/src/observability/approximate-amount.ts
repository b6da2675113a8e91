import { AMOUNT_SCALE, type ServiceTokens } from '@tollgate/core';

/** The amount as a floating-point number, for metrics only. The books calculate exactly. */
export function approximately(amount: ServiceTokens): number {
  return Number(amount.toUnits()) / 10 ** AMOUNT_SCALE;
}
