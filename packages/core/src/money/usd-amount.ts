import { AMOUNT_SCALE, decimalOf, type ServiceTokens, unitsOf } from './service-tokens.js';
import { FACTOR_SCALE, RATE_SCALE, rateUnits, type TokenRate } from './token-rate.js';

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
