import { AMOUNT_SCALE, decimalOf, ServiceTokens, unitsOf } from './service-tokens.js';
import { dearestPromptUnits, type Price, RATE_SCALE, rateUnits, type TokenRate } from './price.js';
import { outputTokensOf, type Usage } from '../generation/usage.js';

/** Places of an amount times a rate, so that what an amount is worth is always exact. */
const USD_SCALE = AMOUNT_SCALE + RATE_SCALE;
const USD_PATTERN = /^-?\d{1,24}(\.\d{1,18})?$/;

/** An exact amount of US dollars. Immutable; shown as a plain decimal, never rounded. Held as whole units of 10⁻¹⁸. */
export class UsdAmount {
  static readonly ZERO = new UsdAmount(0n);

  private constructor(private readonly units: bigint) {}

  static parse(text: string): UsdAmount {
    if (!USD_PATTERN.test(text)) throw new RangeError(`not an amount of US dollars: ${JSON.stringify(text)}`);
    return new UsdAmount(unitsOf(text, USD_SCALE));
  }

  /** What an amount of service tokens is worth: amount × rate, exact. */
  static worthOf(amount: ServiceTokens, usdPerServiceToken: TokenRate): UsdAmount {
    return new UsdAmount(amount.toUnits() * rateUnits(usdPerServiceToken));
  }

  plus(other: UsdAmount): UsdAmount {
    return new UsdAmount(this.units + other.units);
  }

  equals(other: UsdAmount): boolean {
    return this.units === other.units;
  }

  toString(): string {
    return decimalOf(this.units, USD_SCALE);
  }

  toJSON(): string {
    return this.toString();
  }
}

/** What a request costs: the amount debited and its worth, always stated together. */
export interface Charge {
  readonly amount: ServiceTokens;
  readonly usd: UsdAmount;
}

/** Units of a rate in one unit of an amount. */
const RATE_UNITS_PER_AMOUNT_UNIT = 10n ** BigInt(RATE_SCALE - AMOUNT_SCALE);

/** The only rounding there is: up, to the next whole unit of an amount. */
function roundedUp(units: bigint): ServiceTokens {
  return ServiceTokens.fromUnits((units + RATE_UNITS_PER_AMOUNT_UNIT - 1n) / RATE_UNITS_PER_AMOUNT_UNIT);
}

/** Count × rate, in units of a rate; most classes of most requests have nothing to count. */
function costOf(count: number, rate: TokenRate): bigint {
  return count === 0 ? 0n : BigInt(count) * rateUnits(rate);
}

/** Pairs an amount that is already exact with its worth in US dollars. */
export function chargeOf(amount: ServiceTokens, usdPerServiceToken: TokenRate): Charge {
  return { amount, usd: UsdAmount.worthOf(amount, usdPerServiceToken) };
}

/** Sums count × rate over the token classes, then rounds up once, to 0.000001. */
export function chargeFor(usage: Usage, price: Price, usdPerServiceToken: TokenRate): Charge {
  const exact = costOf(usage.uncachedPromptTokens, price.promptToken)
    + costOf(usage.cachedPromptTokens, price.cachedPromptToken)
    + costOf(usage.cacheCreationTokens, price.cacheCreationToken)
    + costOf(outputTokensOf(usage), price.outputToken);
  return chargeOf(roundedUp(exact), usdPerServiceToken);
}

/** The most output tokens that an amount pays for beside a prompt, in the same way: `dearestCost` of both is at most the amount. */
export function payableOutput(amount: ServiceTokens, promptTokens: number, price: Price): number {
  const left = amount.toUnits() * RATE_UNITS_PER_AMOUNT_UNIT - BigInt(promptTokens) * dearestPromptUnits(price);
  const rate = rateUnits(price.outputToken);
  if (left < 0n) return 0;
  return rate === 0n ? Infinity : Number(left / rate);
}

/** The most that a prompt and an output of these sizes can cost at a price; rounded up like a charge. */
export function dearestCost(promptTokens: number, outputTokens: number, price: Price): ServiceTokens {
  return roundedUp(BigInt(promptTokens) * dearestPromptUnits(price) + BigInt(outputTokens) * rateUnits(price.outputToken));
}
