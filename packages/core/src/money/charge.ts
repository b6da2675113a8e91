import type { Price } from './price.js';
import { AMOUNT_SCALE, ServiceTokens } from './service-tokens.js';
import { TOKEN_CLASSES } from './token-classes.js';
import { RATE_UNIT_SCALE, rateUnits, type TokenRate } from './token-rate.js';
import { tokensOfClass, type Usage } from './usage.js';
import { UsdAmount } from './usd-amount.js';

export interface Charge {
  readonly amount: ServiceTokens;
  readonly usd: UsdAmount;
}

export const RATE_UNITS_PER_AMOUNT_UNIT = 10n ** BigInt(RATE_UNIT_SCALE - AMOUNT_SCALE);

/** Rounds up to a multiple of 0.000001. `units`: in 10⁻¹⁸ service tokens. */
export function roundedUp(units: bigint): ServiceTokens {
  return ServiceTokens.fromUnits((units + RATE_UNITS_PER_AMOUNT_UNIT - 1n) / RATE_UNITS_PER_AMOUNT_UNIT);
}

/** In units of 10⁻¹⁸ service tokens. */
function costOf(count: number, rate: TokenRate): bigint {
  return count === 0 ? 0n : BigInt(count) * rateUnits(rate);
}

export function chargeOf(amount: ServiceTokens, usdPerServiceToken: TokenRate): Charge {
  return { amount, usd: UsdAmount.worthOf(amount, usdPerServiceToken) };
}

/** Sum of count × rate over all token classes, rounded up once to 0.000001. */
export function chargeFor(usage: Usage, price: Price, usdPerServiceToken: TokenRate): Charge {
  let exact = 0n;
  for (const tokenClass of TOKEN_CLASSES) exact += costOf(tokensOfClass(usage, tokenClass), price[tokenClass.rate.field]);
  return chargeOf(roundedUp(exact), usdPerServiceToken);
}
