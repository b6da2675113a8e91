import { Big } from 'big.js';

const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 19 }, (_none, exponent) => 10n ** BigInt(exponent));

const DIGIT_ZERO = 0x30;

function powerOfTen(exponent: number): bigint {
  const power = POWERS_OF_TEN[exponent];
  if (power === undefined) throw new RangeError(`unsupported number of decimal places: ${exponent}`);
  return power;
}

/** Converts a valid plain decimal exactly to units with `scale` decimal places. */
export function unitsOf(text: string, scale: number): bigint {
  const point = text.indexOf('.');
  if (point === -1) return BigInt(text) * powerOfTen(scale);
  const places = text.length - point - 1;
  return BigInt(text.slice(0, point) + text.slice(point + 1)) * powerOfTen(scale - places);
}

/** Plain decimal without exponent or trailing zeros. */
export function decimalOf(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  let end = digits.length;
  while (end > digits.length - scale && digits.charCodeAt(end - 1) === DIGIT_ZERO) end -= 1;
  const point = digits.length - scale;
  return end === point ? `${sign}${digits.slice(0, point)}` : `${sign}${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

export const AMOUNT_SCALE = 6;
const AMOUNT_PATTERN = /^\d{1,15}(\.\d{1,6})?$/;

/** Exact and immutable, in micro-tokens (0.000001): sums and comparisons never round. */
export class ServiceTokens {
  static readonly ZERO = new ServiceTokens(0n);

  /** Cached, because a header, a body and a log line print the same text. */
  #text: string | null = null;

  private constructor(private readonly units: bigint) {}

  /** Accepts a plain non-negative decimal with at most fifteen digits before the point and six after it; else throws `RangeError`. */
  static parse(text: string): ServiceTokens {
    if (!AMOUNT_PATTERN.test(text)) throw new RangeError(`not an amount of service tokens: ${JSON.stringify(text)}`);
    return new ServiceTokens(unitsOf(text, AMOUNT_SCALE));
  }

  static fromUnits(units: bigint): ServiceTokens {
    return new ServiceTokens(units);
  }

  plus(other: ServiceTokens): ServiceTokens {
    return new ServiceTokens(this.units + other.units);
  }

  minus(other: ServiceTokens): ServiceTokens {
    return new ServiceTokens(this.units - other.units);
  }

  isLessThan(other: ServiceTokens): boolean {
    return this.units < other.units;
  }

  equals(other: ServiceTokens): boolean {
    return this.units === other.units;
  }

  isZero(): boolean {
    return this.units === 0n;
  }

  isNegative(): boolean {
    return this.units < 0n;
  }

  /** Micro-tokens, the unit of the SQL columns. */
  toUnits(): bigint {
    return this.units;
  }

  toBig(): Big {
    return new Big(this.toString());
  }

  /** Plain decimal without exponent or trailing zeros. */
  toString(): string {
    this.#text ??= decimalOf(this.units, AMOUNT_SCALE);
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }
}

export function smallerOf(a: ServiceTokens, b: ServiceTokens): ServiceTokens {
  return b.isLessThan(a) ? b : a;
}

export function largerOf(a: ServiceTokens, b: ServiceTokens): ServiceTokens {
  return a.isLessThan(b) ? b : a;
}
