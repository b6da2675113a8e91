import type { Price } from '../money/price.js';
import { type PriceFactor, rateUnits, scaledRate } from '../money/token-rate.js';
import { perRate, TOKEN_RATES } from '../money/token-classes.js';
import type { ModelSlug, PriceListId } from '../primitives/ids.js';
import { type Instant, utcDayOf } from '../primitives/time.js';
import type { Model } from './catalogue.js';

interface Dated {
  /** `null` for the first entry, which is in force until the next one. */
  readonly from: Instant | null;
}

export interface DatedPrice extends Dated {
  readonly price: Price;
}

export interface PriceListEntry extends Dated {
  /** Multiplies the standard prices of models for which `rates` has no entry. */
  readonly factor: PriceFactor;
  readonly rates: ReadonlyMap<ModelSlug, Price>;
}

export interface PriceList {
  readonly id: PriceListId;
  readonly name: string;
  /** At least one entry, in the order of their dates. */
  readonly entries: readonly PriceListEntry[];
}

/** Names the rates at which a request is charged. */
export interface PriceVersion {
  readonly list: PriceListId;
  /** UTC day of the newest entry that determines the rates; `INITIAL_PRICES` if none has a date. */
  readonly version: string;
}

/** Stands for the prices of accounts without a list. */
export const STANDARD_LIST = 'standard' as PriceListId;
const INITIAL_PRICES = 'initial';
export const STANDARD_PRICES: PriceVersion = { list: STANDARD_LIST, version: INITIAL_PRICES };

export interface PriceInForce {
  readonly price: Price;
  readonly version: PriceVersion;
}

type Priced = Pick<Model, 'slug' | 'price' | 'laterPrices'>;

function inForce<Entry extends Dated>(entries: readonly Entry[], at: Instant): Entry | undefined {
  return entries.findLast(({ from }) => from === null || from <= at);
}

function versionOf(list: PriceListId, dates: readonly (Instant | null)[]): PriceVersion {
  const newest = dates.reduce<Instant | null>((latest, date) => (latest === null || (date !== null && date > latest) ? date : latest), null);
  return { list, version: newest === null ? INITIAL_PRICES : utcDayOf(newest) };
}

/** `list` is `null` for the standard price. */
export function priceAt(model: Priced, list: PriceList | null, at: Instant): PriceInForce {
  const standard = inForce(model.laterPrices ?? [], at) ?? { from: null, price: model.price };
  const entry = list === null ? undefined : inForce(list.entries, at);
  if (list === null || entry === undefined) return { price: standard.price, version: versionOf(STANDARD_LIST, [standard.from]) };
  const own = entry.rates.get(model.slug);
  if (own !== undefined) return { price: own, version: versionOf(list.id, [entry.from]) };
  const price = perRate(({ field }) => scaledRate(standard.price[field], entry.factor));
  return { price, version: versionOf(list.id, [standard.from, entry.from]) };
}

function datesOf(entries: readonly Dated[]): readonly Instant[] {
  return entries.flatMap(({ from }) => from ?? []);
}

/** Dates on which the price may change, in order, each once. */
export function priceDates(models: readonly Priced[], list: PriceList | null): readonly Instant[] {
  const dates = new Set([...models.flatMap(({ laterPrices = [] }) => datesOf(laterPrices)), ...datesOf(list?.entries ?? [])]);
  return [...dates].toSorted((a, b) => a - b);
}

export interface PriceChange {
  readonly from: Instant;
  readonly before: Price;
  readonly price: Price;
}

function isSame(a: Price, b: Price): boolean {
  return TOKEN_RATES.every(({ field }) => a[field] === b[field]);
}

/** Price changes after `now`, in order. Dates on which no rate changes are left out. */
export function priceChangesAfter(model: Priced, list: PriceList | null, now: Instant): readonly PriceChange[] {
  let before = priceAt(model, list, now).price;
  return priceDates([model], list).filter((date) => date > now).flatMap((from) => {
    const change = { from, before, price: priceAt(model, list, from).price };
    before = change.price;
    return isSame(change.before, change.price) ? [] : [change];
  });
}

/** True if a rate of any class is higher afterwards. */
export function raisesPrice({ before, price }: PriceChange): boolean {
  return TOKEN_RATES.some(({ field }) => rateUnits(price[field]) > rateUnits(before[field]));
}
