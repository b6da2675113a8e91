import { type Instant, STANDARD_LIST } from '@tollgate/core';
import type { CatalogueEntry } from './catalogue-schema.js';
import type { Contradiction, Names, Path } from './contradiction.js';
import type { PriceListEntries } from './price-schema.js';

interface Dated {
  readonly from?: Instant | undefined;
}

/** Reports each date that is not later than the date of the entry before it. */
function orderContradictions(path: Path, entries: readonly Dated[]): readonly Contradiction[] {
  return entries.flatMap(({ from }, position) => {
    const before = entries[position - 1]?.from;
    return from !== undefined && before !== undefined && from <= before ? [{ path: [...path, position, 'from'], message: 'must be later than the date of the entry before it' }] : [];
  });
}

function listContradictions(id: string, { entries }: PriceListEntries, models: Names): readonly Contradiction[] {
  const path = ['price_lists', id, 'entries'];
  return [
    ...(id === STANDARD_LIST ? [{ path: ['price_lists', id], message: `${STANDARD_LIST} names the standard prices, so a price list must have another name` }] : []),
    ...entries.flatMap(({ from, models: rates = {} }, position) => [
      ...(position === 0 && from !== undefined ? [{ path: [...path, position, 'from'], message: 'must not be set: the first entry holds from the beginning' }] : []),
      ...(position > 0 && from === undefined ? [{ path: [...path, position, 'from'], message: 'is missing; only the first entry holds without a date' }] : []),
      ...Object.keys(rates).flatMap((slug) => (models.has(slug) ? [] : [{ path: [...path, position, 'models', slug], message: `there is no model ${slug}` }])),
    ]),
    ...orderContradictions(path, entries),
  ];
}

export function priceContradictions({ models, price_lists: lists = {} }: CatalogueEntry): readonly Contradiction[] {
  const slugs = new Set(Object.keys(models));
  return [
    ...Object.entries(models).flatMap(([slug, { price: { later = [] } }]) => orderContradictions(['models', slug, 'price', 'later'], later)),
    ...Object.entries(lists).flatMap(([id, list]) => listContradictions(id, list, slugs)),
  ];
}
