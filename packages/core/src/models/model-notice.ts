import type { ModelSlug, PriceListId } from '../primitives/ids.js';
import { type Instant, later, MILLISECONDS_PER_DAY, utcDayOf } from '../primitives/time.js';
import type { Catalogue, Model } from './catalogue.js';
import { type ModelShutdown, SUNSET_DAYS } from './model-shutdown.js';
import { type PriceChange, priceChangesAfter, type PriceList, raisesPrice } from './price-list.js';

/** Price rises on one day, for the accounts of one price list. */
export interface PriceNotice {
  readonly kind: 'price';
  /** Stays the same however often the notice is computed. */
  readonly id: string;
  /** `null` for accounts at the standard prices. */
  readonly list: PriceListId | null;
  readonly from: Instant;
  readonly rises: ReadonlyMap<ModelSlug, PriceChange>;
}

export interface ShutdownNotice {
  readonly kind: 'shutdown';
  /** Stays the same however often the notice is computed. */
  readonly id: string;
  readonly model: ModelSlug;
  readonly shutdown: ModelShutdown;
}

/** Changes that owners of accounts are notified of in advance. */
export type ModelNotice = PriceNotice | ShutdownNotice;

/** Price rises on one day, except of models that have ended by then. */
function risesOn(from: Instant, models: readonly Model[], changesOf: (model: Model) => readonly PriceChange[]): PriceNotice['rises'] {
  const changes = models.filter(({ shutdown }) => shutdown === undefined || shutdown.at > from)
    .flatMap((model) => changesOf(model).filter((change) => change.from === from && raisesPrice(change)).map((change) => [model.slug, change] as const));
  return new Map(changes);
}

function priceNotices({ models }: Catalogue, list: PriceList | null, [now, until]: readonly [Instant, Instant]): readonly PriceNotice[] {
  const changes = new Map(models.map((model) => [model, priceChangesAfter(model, list, now)]));
  const dates = [...new Set([...changes.values()].flat().map(({ from }) => from))].filter((date) => date <= until).toSorted((a, b) => a - b);
  return dates.flatMap((from) => {
    const rises = risesOn(from, models, (model) => changes.get(model) ?? []);
    return rises.size === 0 ? [] : [{ kind: 'price', id: `prices/${utcDayOf(from)}`, list: list?.id ?? null, from, rises }];
  });
}

/** Prices that rise within the period of notice, and models that end within `SUNSET_DAYS`. */
export function noticesAt(catalogue: Catalogue, now: Instant, priceNoticeMilliseconds: number): readonly ModelNotice[] {
  const period = [now, later(now, priceNoticeMilliseconds)] as const;
  const sunset = later(now, SUNSET_DAYS * MILLISECONDS_PER_DAY);
  return [
    ...[null, ...catalogue.priceLists].flatMap((list) => priceNotices(catalogue, list, period)),
    ...catalogue.models.flatMap(({ slug, shutdown }): readonly ShutdownNotice[] => (shutdown === undefined || shutdown.at <= now || shutdown.at > sunset
      ? [] : [{ kind: 'shutdown', id: `shutdown/${slug}/${utcDayOf(shutdown.at)}`, model: slug, shutdown }])),
  ];
}
