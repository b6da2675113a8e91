import type { Instant } from '../primitives/time.js';
import type { CatalogueContents, Model } from './catalogue.js';
import { isShutDown } from './model-shutdown.js';
import { priceAt, priceChangesAfter, type PriceList } from './price-list.js';

/** The model that serves requests for this one; `null` if none does. */
function servingModel(model: Model, models: ReadonlyMap<string, Model>, at: Instant): Model | null {
  const seen = new Set<Model>();
  let current: Model | undefined = model;
  while (current !== undefined && isShutDown(current, at)) {
    const { shutdown } = current;
    if (shutdown?.forwards !== true || shutdown.successor === null || seen.has(current)) return null;
    seen.add(current);
    current = models.get(shutdown.successor);
  }
  return current ?? null;
}

function withPrice(model: Model, list: PriceList | null, at: Instant): Model {
  const { price, version } = priceAt(model, list, at);
  const [next] = priceChangesAfter(model, list, at);
  return { ...model, price, priceVersion: version, ...(next === undefined ? {} : { nextPrice: next }) };
}

/**
 * Models that are served at the given time, at the prices of the list; `null` for the standard list. Names of forwarding models become aliases of
 * their successors.
 */
export function contentsInForce(contents: CatalogueContents, list: PriceList | null, at: Instant): CatalogueContents {
  const models = new Map<string, Model>(contents.models.map((model) => [model.slug, model]));
  const ended = contents.models.filter((model) => isShutDown(model, at));
  const serving = new Map(ended.map((model) => [model, servingModel(model, models, at)]));
  const namesFor = (successor: Model) => ended.filter((model) => serving.get(model) === successor).flatMap(({ slug, aliases }) => [slug, ...aliases]);
  return {
    ...contents,
    models: contents.models.filter((model) => !serving.has(model))
      .map((model) => withPrice({ ...model, aliases: [...model.aliases, ...namesFor(model)] }, list, at)),
    retired: ended.filter((model) => serving.get(model) === null),
  };
}
