import { AMOUNT_SCALE, type ServiceTokens } from '@tollgate/core';

/** For metrics only, whose values are floating-point numbers, unlike those of the books. */
export function approximately(amount: ServiceTokens): number {
  return Number(amount.toUnits()) / 10 ** AMOUNT_SCALE;
}
