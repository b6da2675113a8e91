import { type DatedPrice, type ModelSlug, parsePriceFactor, perRate, type Price, type PriceList, type PriceListId } from '@tollgate/core';
import type { DatedPriceEntry, PriceEntry, PriceListEntries } from './price-schema.js';

export function decodePrice(entry: PriceEntry): Price {
  return perRate(({ name }) => entry[name] ?? entry.prompt);
}

export function decodeLaterPrices({ later = [] }: DatedPriceEntry): readonly DatedPrice[] {
  return later.map(({ from, ...price }) => ({ from, price: decodePrice(price) }));
}

/** Factor of an entry that states none: its models without rates of their own have the standard prices. */
const NO_FACTOR = parsePriceFactor('1');

export function decodePriceList(id: string, { name, entries }: PriceListEntries): PriceList {
  return {
    id: id as PriceListId,
    name: name ?? id,
    entries: entries.map(({ from = null, factor = NO_FACTOR, models = {} }) => ({
      from, factor, rates: new Map(Object.entries(models).map(([slug, price]) => [slug as ModelSlug, decodePrice(price)])),
    })),
  };
}
