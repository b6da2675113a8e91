import { Big } from 'big.js';
import type { Brand } from '../primitives/primitives.js';
import { AMOUNT_SCALE, decimalOf, ServiceTokens, unitsOf } from './service-tokens.js';
import { type RateField, TOKEN_CLASSES } from './token-classes.js';
import { tokensOfClass, type Usage } from './usage.js';

/** Plain decimal: service tokens per model token, or US dollars per service token. A factor adds up to six places to the twelve of a written rate. */
export type TokenRate = Brand<string, 'TokenRate'>;

/** Decimal places of a written rate. */
export const RATE_SCALE = 12;
const RATE_PATTERN = /^\d{1,9}(\.\d{1,12})?$/;

/** Accepts a plain non-negative decimal with at most twelve places; else throws `RangeError`. */
export function parseTokenRate(text: string): TokenRate {
  if (!RATE_PATTERN.test(text)) throw new RangeError(`not a rate: ${JSON.stringify(text)}`);
  return new Big(text).toFixed() as TokenRate;
}

/** Plain decimal that multiplies rates. */
export type PriceFactor = Brand<string, 'PriceFactor'>;

const FACTOR_SCALE = 6;
const FACTOR_PATTERN = /^\d{1,3}(\.\d{1,6})?$/;

/** Accepts a plain non-negative decimal with at most six places; else throws `RangeError`. */
export function parsePriceFactor(text: string): PriceFactor {
  if (!FACTOR_PATTERN.test(text)) throw new RangeError(`not a factor: ${JSON.stringify(text)}`);
  return new Big(text).toFixed() as PriceFactor;
}

/** Exact: nothing is rounded. `rate` is a written one. */
export function scaledRate(rate: TokenRate, factor: PriceFactor): TokenRate {
  return new Big(rate).times(factor).toFixed() as TokenRate;
}

/** Decimal places of any rate, written or scaled. */
export const RATE_UNIT_SCALE = RATE_SCALE + FACTOR_SCALE;

/** Entries; a full cache is emptied. */
const RATES_KEPT = 1_000;
const unitsByRate = new Map<TokenRate, bigint>();

/** In 10⁻¹⁸, exact. */
export function rateUnits(rate: TokenRate): bigint {
  const known = unitsByRate.get(rate);
  if (known !== undefined) return known;
  const units = unitsOf(rate, RATE_UNIT_SCALE);
  if (unitsByRate.size >= RATES_KEPT) unitsByRate.clear();
  unitsByRate.set(rate, units);
  return units;
}

/** Service tokens per model token. */
export type Price = Readonly<Record<RateField, TokenRate>>;

const RATES_OF_PROMPT = ratesOf('prompt');
const RATES_OF_OUTPUT = ratesOf('output');

function ratesOf(part: 'prompt' | 'output'): readonly RateField[] {
  return TOKEN_CLASSES.filter((tokenClass) => tokenClass.part === part).map(({ rate }) => rate.field);
}

function dearestUnits(price: Price, rates: readonly RateField[]): bigint {
  return rates.reduce((dearest, rate) => {
    const units = rateUnits(price[rate]);
    return units > dearest ? units : dearest;
  }, 0n);
}

/** Highest rate of a prompt class, in 10⁻¹⁸ service tokens; reservations use it. */
export function dearestPromptUnits(price: Price): bigint {
  return dearestUnits(price, RATES_OF_PROMPT);
}

/** Highest rate of an output class, in 10⁻¹⁸ service tokens; reservations use it. */
function dearestOutputUnits(price: Price): bigint {
  return dearestUnits(price, RATES_OF_OUTPUT);
}

const MILLION = 1_000_000;

/** Service tokens and US dollars for a million tokens; exact, plain decimals. */
export function costOfMillion(rate: TokenRate, usdPerServiceToken: TokenRate): { readonly svcTokens: string; readonly usd: string } {
  const svcTokens = new Big(rate).times(MILLION);
  return { svcTokens: svcTokens.toFixed(), usd: svcTokens.times(usdPerServiceToken).toFixed() };
}

/** Decimal places of amount × written rate. */
const USD_SCALE = AMOUNT_SCALE + RATE_SCALE;
const RATE_UNITS_PER_WRITTEN_UNIT = 10n ** BigInt(FACTOR_SCALE);
const USD_PATTERN = /^-?\d{1,24}(\.\d{1,18})?$/;

/** Exact and immutable, in 10⁻¹⁸ US dollars; printed as a plain decimal, never rounded. */
export class UsdAmount {
  static readonly ZERO = new UsdAmount(0n);

  private constructor(private readonly units: bigint) {}

  static parse(text: string): UsdAmount {
    if (!USD_PATTERN.test(text)) throw new RangeError(`not an amount of US dollars: ${JSON.stringify(text)}`);
    return new UsdAmount(unitsOf(text, USD_SCALE));
  }

  /** Exact: no factor applies to the value of a service token. */
  static worthOf(amount: ServiceTokens, usdPerServiceToken: TokenRate): UsdAmount {
    return new UsdAmount(amount.toUnits() * (rateUnits(usdPerServiceToken) / RATE_UNITS_PER_WRITTEN_UNIT));
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

export interface Charge {
  readonly amount: ServiceTokens;
  readonly usd: UsdAmount;
}

const RATE_UNITS_PER_AMOUNT_UNIT = 10n ** BigInt(RATE_UNIT_SCALE - AMOUNT_SCALE);

/** Rounds up to the next micro-token. No other amount is rounded. */
function roundedUp(units: bigint): ServiceTokens {
  return ServiceTokens.fromUnits((units + RATE_UNITS_PER_AMOUNT_UNIT - 1n) / RATE_UNITS_PER_AMOUNT_UNIT);
}

/** In 10⁻¹⁸. Returns early for zero. */
function costOf(count: number, rate: TokenRate): bigint {
  return count === 0 ? 0n : BigInt(count) * rateUnits(rate);
}

export function chargeOf(amount: ServiceTokens, usdPerServiceToken: TokenRate): Charge {
  return { amount, usd: UsdAmount.worthOf(amount, usdPerServiceToken) };
}

/** Sum of count × rate over all token classes, rounded up once to 0.000001. */
export function chargeFor(usage: Usage, price: Price, usdPerServiceToken: TokenRate): Charge {
  const exact = TOKEN_CLASSES.reduce((total, tokenClass) => total + costOf(tokensOfClass(usage, tokenClass), price[tokenClass.rate.field]), 0n);
  return chargeOf(roundedUp(exact), usdPerServiceToken);
}

/** The largest output for which `dearestCost` is at most the amount. */
export function payableOutput(amount: ServiceTokens, promptTokens: number, price: Price): number {
  const left = amount.toUnits() * RATE_UNITS_PER_AMOUNT_UNIT - BigInt(promptTokens) * dearestPromptUnits(price);
  const rate = dearestOutputUnits(price);
  if (left < 0n) return 0;
  return rate === 0n ? Infinity : Number(left / rate);
}

/** The prompt at its highest rate and the output, rounded up like a charge. */
export function dearestCost(promptTokens: number, outputTokens: number, price: Price): ServiceTokens {
  return roundedUp(BigInt(promptTokens) * dearestPromptUnits(price) + BigInt(outputTokens) * dearestOutputUnits(price));
}
