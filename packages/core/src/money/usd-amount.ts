import { decimalOf, unitsOf } from './decimal.js';
import { AMOUNT_SCALE, type ServiceTokens } from './service-tokens.js';
import { RATE_SCALE, rateUnits, type TokenRate } from './token-rate.js';

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
