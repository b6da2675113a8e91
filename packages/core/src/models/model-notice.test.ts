import { expect, it } from '@jest/globals';
import { aModel, aPrice } from '@tollgate/testkit';
import { parsePriceFactor, parseTokenRate } from '../money/token-rate.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { ModelSlug, PriceListId } from '../primitives/ids.js';
import { type Instant, instant, MILLISECONDS_PER_DAY } from '../primitives/time.js';
import { Catalogue } from './catalogue.js';
import { noticesAt } from './model-notice.js';

const DAY = instant(Date.UTC(2027, 2, 1));
const NOTICE = 14 * MILLISECONDS_PER_DAY;

function before(days: number): Instant {
  return instant(DAY - days * MILLISECONDS_PER_DAY);
}

const [CHEAPER, DEARER] = [aPrice('0.5', '0.05', '0.5', '1'), aPrice('1', '0.1', '1', '3')];

/** `dear` and `cheap` change on `DAY`; `ending` would become dearer on `DAY`, but ends on the day before. */
const CATALOGUE = new Catalogue({
  models: [
    aModel({ slug: 'dear' as ModelSlug, laterPrices: [{ from: DAY, price: DEARER }] }), aModel({ slug: 'cheap' as ModelSlug, laterPrices: [{ from: DAY, price: CHEAPER }] }),
    aModel({ slug: 'ending' as ModelSlug, laterPrices: [{ from: DAY, price: DEARER }], shutdown: { at: before(1), successor: null, forwards: false } }),
  ],
  plans: [], usdPerServiceToken: parseTokenRate('1'), minimumReservation: ServiceTokens.ZERO,
  priceLists: [
    { id: 'own' as PriceListId, name: 'Own', entries: [{ from: null, factor: parsePriceFactor('1'), rates: new Map([['dear' as ModelSlug, CHEAPER]]) }] },
    { id: 'twice' as PriceListId, name: 'Twice', entries: [{ from: null, factor: parsePriceFactor('2'), rates: new Map() }, { from: DAY, factor: parsePriceFactor('4'), rates: new Map() }] },
  ],
});

function summary(at: Instant, notice = NOTICE): readonly unknown[] {
  return noticesAt(CATALOGUE, at, notice).map((found) => (found.kind === 'price' ? [found.id, found.list, [...found.rises.keys()]] : [found.id]));
}

const ENDING = ['shutdown/ending/2027-02-28'];

it('price rises are announced during the notice period, for each price list that rises; shutdowns, 60 days before', () => {
  const rises = [['prices/2027-03-01', null, ['dear']], ['prices/2027-03-01', 'twice', ['dear']]];
  expect(summary(before(61.5))).toEqual([]);
  expect(summary(before(61))).toEqual([ENDING]);
  expect(summary(before(14.5))).toEqual([ENDING]);
  expect(summary(before(14))).toEqual([...rises, ENDING]);
  expect(summary(before(0.5))).toEqual(rises);
  expect(summary(DAY)).toEqual([]);
  expect(summary(before(1), 0)).toEqual([]);
});
