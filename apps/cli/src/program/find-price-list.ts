import { type PriceListId, STANDARD_LIST } from '@tollgate/core';
import { misuse } from './command-failure.js';
import type { OperatorSession } from './operator-session.js';

/** The price list with this id; `null` for the standard prices. For an unknown id, throws a misuse that names the existing lists. */
export function findPriceList({ catalogue }: Pick<OperatorSession, 'catalogue'>, id: string): PriceListId | null {
  if (id === STANDARD_LIST) return null;
  const list = catalogue.current().priceList(id as PriceListId);
  if (list === null) throw misuse(`argument <list>: there is no price list ${id}; there are ${[STANDARD_LIST, ...catalogue.current().priceLists.map((known) => known.id)].join(', ')}`);
  return list.id;
}
