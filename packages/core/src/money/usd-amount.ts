import { Big } from 'big.js';
import type { ServiceTokens } from './service-tokens.js';
import type { TokenRate } from './token-rate.js';

const USD_PATTERN = /^-?\d{1,24}(\.\d{1,18})?$/;

/** An exact amount of US dollars. Immutable; shown as a plain decimal, never rounded. */
export class UsdAmount {
  static readonly ZERO = new UsdAmount(new Big(0));

  private constructor(private readonly amount: Big) {}

  static parse(text: string): UsdAmount {
    if (!USD_PATTERN.test(text)) throw new RangeError(`not an amount of US dollars: ${JSON.stringify(text)}`);
    return new UsdAmount(new Big(text));
  }

  /** What an amount of service tokens is worth: amount × rate, exact. */
  static worthOf(amount: ServiceTokens, usdPerServiceToken: TokenRate): UsdAmount {
    return new UsdAmount(amount.toBig().times(usdPerServiceToken));
  }

  plus(other: UsdAmount): UsdAmount {
    return new UsdAmount(this.amount.plus(other.amount));
  }

  equals(other: UsdAmount): boolean {
    return this.amount.eq(other.amount);
  }

  toString(): string {
    return this.amount.toFixed();
  }

  toJSON(): string {
    return this.toString();
  }
}
