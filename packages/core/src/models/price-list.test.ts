import { describe, expect, it } from '@jest/globals';
import { aModel, aPrice } from '@tollgate/testkit';
import { parsePriceFactor } from '../money/token-rate.js';
import type { ModelSlug, PriceListId } from '../primitives/ids.js';
import { type Instant, instant } from '../primitives/time.js';
import { priceAt, priceChangesAfter, type PriceList, type PriceListEntry, raisesPrice } from './price-list.js';

function day(text: string): Instant {
  return instant(Date.parse(`${text}T00:00:00Z`));
}

const SMALL = 'small' as ModelSlug;
const JANUARY = day('2027-01-01');
const MARCH = day('2027-03-01');
/** Costs 1 per prompt token and 2 per output token; from 2027-03-01 on, 3 and 4. */
const MODEL = aModel({ slug: SMALL, laterPrices: [{ from: MARCH, price: aPrice('3', '3', '3', '4') }] });

function entry(from: Instant | null, factor: string, rates: PriceListEntry['rates'] = new Map()): PriceListEntry {
  return { from, factor: parsePriceFactor(factor), rates };
}

function list(...entries: readonly PriceListEntry[]): PriceList {
  return { id: 'partners' as PriceListId, name: 'Partners', entries };
}

function shown(prices: PriceList | null, at: Instant): readonly string[] {
  const { price, version } = priceAt(MODEL, prices, at);
  return [price.promptToken, price.outputToken, version.list, version.version];
}

describe('the price at a time', () => {
  it('is that of the newest entry in force; its version is the day of the entry', () => {
    expect(shown(null, instant(MARCH - 1))).toEqual(['1', '2', 'standard', 'initial']);
    expect(shown(null, MARCH)).toEqual(['3', '4', 'standard', '2027-03-01']);
  });

  it('is the standard price times the factor of the list; its version is the day when one of them last changed', () => {
    const prices = list(entry(null, '0.5'), entry(JANUARY, '0.25'));
    expect(shown(prices, instant(JANUARY - 1))).toEqual(['0.5', '1', 'partners', 'initial']);
    expect(shown(prices, JANUARY)).toEqual(['0.25', '0.5', 'partners', '2027-01-01']);
    expect(shown(prices, MARCH)).toEqual(['0.75', '1', 'partners', '2027-03-01']);
  });

  it('is the list’s own price, without a factor, for a model that has one in the list', () => {
    const prices = list(entry(null, '0.5', new Map([[SMALL, aPrice('7', '7', '7', '8')]])));
    expect(shown(prices, JANUARY)).toEqual(['7', '8', 'partners', 'initial']);
    expect(shown(prices, MARCH)).toEqual(['7', '8', 'partners', 'initial']);
  });
});

describe('announced price changes', () => {
  it('are in order, each with the price before it, and only those that change a rate', () => {
    const own = aPrice('0.5', '0.05', '0.5', '1');
    const prices = list(entry(null, '0.5'), entry(JANUARY, '1', new Map([[SMALL, own]])), entry(day('2027-02-01'), '0.1'));
    const changes = priceChangesAfter(MODEL, prices, day('2026-12-01'));
    expect(changes.map(({ from, before, price }) => [from, before.outputToken, price.outputToken])).toEqual([
      [day('2027-02-01'), '1', '0.2'], [MARCH, '0.2', '0.4'],
    ]);
    expect(changes.map(raisesPrice)).toEqual([false, true]);
    expect(priceChangesAfter(MODEL, prices, MARCH)).toEqual([]);
  });

  it('count as a rise if one token class becomes dearer, even if others become cheaper', () => {
    const change = { from: MARCH, before: aPrice('1', '0.2', '1', '2'), price: aPrice('0.5', '0.3', '0.5', '1') };
    expect(raisesPrice(change)).toBe(true);
  });
});
