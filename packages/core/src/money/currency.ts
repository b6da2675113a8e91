import { Big } from 'big.js';

/** ISO 4217, capital letters. */
export type CurrencyCode = string;

/** An amount in the smallest unit of its currency: cents for USD, yen for JPY, fils for BHD. */
export interface CurrencyAmount {
  readonly amount: bigint;
  readonly currency: CurrencyCode;
}

const USUAL_DECIMALS = 2;
/** Decimal places by ISO 4217 of 2026. Locale data differs for some currencies, because it follows common use. */
const DECIMALS: ReadonlyMap<CurrencyCode, number> = new Map([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
  ...['CLF', 'UYW'].map((code) => [code, 4] as const),
]);

let known: ReadonlySet<CurrencyCode> | null = null;

export function isCurrency(code: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known.has(code);
}

/** Decimal places of the smallest unit. */
export function decimalsOf(currency: CurrencyCode): number {
  return DECIMALS.get(currency) ?? USUAL_DECIMALS;
}

const PRICE = /^\d{1,12}(\.\d{1,4})?$/;

/** `null` if the text is no plain decimal with at most twelve digits before the point and four after it, or no whole number of the smallest unit. */
export function parseCurrencyAmount(text: string, currency: CurrencyCode): bigint | null {
  if (!PRICE.test(text)) return null;
  const units = new Big(text).times(new Big(10).pow(decimalsOf(currency)));
  return units.eq(units.round(0)) ? BigInt(units.toFixed(0)) : null;
}

/** With all places of the currency: `10.00`. */
export function currencyDecimal({ amount, currency }: CurrencyAmount): string {
  const decimals = decimalsOf(currency);
  return new Big(amount.toString()).div(new Big(10).pow(decimals)).toFixed(decimals);
}
