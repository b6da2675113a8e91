import { locale } from '#locale';

/** An exact amount of a currency, as `10.50 USD`, with thousands separated. */
export function priceOf({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  const [whole = '', places] = amount.split('.');
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, locale.groupSeparator)}${places === undefined ? '' : `${locale.decimalPoint}${places}`} ${currency}`;
}
