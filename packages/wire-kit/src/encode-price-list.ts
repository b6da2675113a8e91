import { type Price, type PriceList, type RateName, rfc3339, TOKEN_RATES, type TokenRate } from '@tollgate/core';
import { timeOrNull } from './encode-time.js';

/** Rates by their names in catalogues. */
export function encodeRates(price: Price) {
  return Object.fromEntries(TOKEN_RATES.map(({ name, field }) => [name, price[field]])) as Readonly<Record<RateName, TokenRate>>;
}

export function encodePriceList({ id, name, entries }: PriceList) {
  return {
    id,
    object: 'price_list' as const,
    name,
    entries: entries.map(({ from, factor, rates }) => ({
      from: timeOrNull(from), factor, models: [...rates].map(([model, price]) => ({ model, ...encodeRates(price) })),
    })),
  };
}

/** The model's next change of price in the catalogue; `null` if none is announced. */
export function encodeNextPrice(change: { readonly from: Parameters<typeof rfc3339>[0]; readonly price: Price } | undefined) {
  return change === undefined ? null : { from: rfc3339(change.from), ...encodeRates(change.price) };
}
