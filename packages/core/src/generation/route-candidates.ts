import type { TokenCount } from '../ids.js';
import type { Catalogue } from '../models/catalogue.js';
import { fitsContext } from '../models/check-context.js';
import type { Model, UpstreamTarget } from '../models/model.js';
import { type ModelAccess, mayUse } from '../models/permit-model.js';

/** One try at serving a request. */
export interface Candidate {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

export interface RouteDemand {
  readonly model: Model;
  readonly access: ModelAccess;
  readonly promptTokens: TokenCount;
  readonly requestedOutputTokens: TokenCount | null;
}

/** The models that may serve a request, the requested one first: fallbacks must be in the plan and in the key's models, and fit the prompt. */
export function routeModels(demand: RouteDemand, catalogue: Catalogue): readonly Model[] {
  const { model, access } = demand;
  if (model.fallbacks.length === 0) return [model];
  const fallbacks = model.fallbacks
    .map((slug) => catalogue.model(slug))
    .filter((fallback): fallback is Model => fallback !== null && fallback.slug !== model.slug)
    .filter((fallback) => mayUse(fallback, access) && fitsContext(demand, fallback));
  return [model, ...fallbacks];
}

/** Every target of every model, in the order they are tried. */
export function routeCandidates(models: readonly Model[]): readonly Candidate[] {
  return models.flatMap((model) => model.targets.map((target) => ({ model, target })));
}
