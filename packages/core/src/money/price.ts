import { Big } from 'big.js';
import type { Brand } from '../primitives/primitives.js';
import { AMOUNT_SCALE, decimalOf, ServiceTokens, unitsOf } from './service-tokens.js';
import { outputTokensOf, type Usage } from './usage.js';

/** Service tokens per model token, or USD per service token: a plain decimal string, so that no float is involved. */
export type TokenRate = Brand<string, 'TokenRate'>;

/** Decimal places a rate may have. */
export const RATE_SCALE = 12;
const RATE_PATTERN = /^\d{1,9}(\.\d{1,12})?$/;

/** Reads a plain non-negative decimal with at most twelve places; throws `RangeError` on anything else. */
export function parseTokenRate(text: string): TokenRate {
  if (!RATE_PATTERN.test(text)) throw new RangeError(`not a rate: ${JSON.stringify(text)}`);
  return new Big(text).toFixed() as TokenRate;
}

/** The rates of all models are few; when one catalogue follows the other, what is kept of them starts over. */
const RATES_KEPT = 1_000;
const unitsByRate = new Map<TokenRate, bigint>();

/** A rate as a whole number of 10⁻¹² per token: exact, and what a request is reckoned in. */
export function rateUnits(rate: TokenRate): bigint {
  const known = unitsByRate.get(rate);
  if (known !== undefined) return known;
  const units = unitsOf(rate, RATE_SCALE);
  if (unitsByRate.size >= RATES_KEPT) unitsByRate.clear();
  unitsByRate.set(rate, units);
  return units;
}

/** Service tokens charged per model token, by token class. The classes are disjoint. */
export interface Price {
  readonly promptToken: TokenRate;
  readonly cachedPromptToken: TokenRate;
  readonly cacheCreationToken: TokenRate;
  readonly outputToken: TokenRate;
}

/** The dearest rate a prompt token may turn out to be charged at, in 10⁻¹² service tokens; what a reservation must assume. */
export function dearestPromptUnits({ promptToken, cachedPromptToken, cacheCreationToken }: Price): bigint {
  let dearest = rateUnits(promptToken);
  for (const rate of [cachedPromptToken, cacheCreationToken]) {
    const units = rateUnits(rate);
    if (units > dearest) dearest = units;
  }
  return dearest;
}

/** What a million tokens cost at a rate: exact, since a rate has six decimal places more than an amount. */
export function costOfMillion(rate: TokenRate): ServiceTokens {
  return ServiceTokens.fromUnits(rateUnits(rate));
}

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
