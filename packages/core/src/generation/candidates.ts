import type { Catalogue, Model, UpstreamTarget } from '../models/catalogue.js';
import { fitsContext } from '../models/context.js';
import { mayUse, type ModelAccess } from '../models/model-access.js';
import type { TokenCount } from '../primitives/token-count.js';
import type { PromptEstimate } from './prompt-estimate.js';

export interface Candidate {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

export interface RouteDemand {
  readonly model: Model;
  readonly access: ModelAccess;
  readonly prompt: Pick<PromptEstimate, 'tokensFor'>;
  readonly requestedOutputTokens: TokenCount | null;
}

/** The requested model, then those of its fallbacks that the plan and the key include and whose context window fits the request. */
export function routeModels(demand: RouteDemand, catalogue: Catalogue): readonly Model[] {
  const { model, access, prompt, requestedOutputTokens } = demand;
  if (model.fallbacks.length === 0) return [model];
  const fallbacks = model.fallbacks
    .map((slug) => catalogue.model(slug))
    .filter((fallback): fallback is Model => fallback !== null && fallback.slug !== model.slug)
    .filter((fallback) => mayUse(fallback, access) && fitsContext({ promptTokens: prompt.tokensFor(fallback), requestedOutputTokens }, fallback));
  return [model, ...fallbacks];
}

/** The candidates in the order in which they are tried. */
export function routeCandidates(models: readonly Model[]): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const model of models) for (const target of model.targets) candidates.push({ model, target });
  return candidates;
}
