import { type Catalogue, type JsonObject, type Model, type Plan, rfc3339 } from '@tollgate/core';
import { encodePlanLimits } from '@tollgate/wire-kit';

/** Prices are service tokens per model token. */
export function encodeModel(model: Model, { usdPerServiceToken }: Catalogue): JsonObject {
  const { price } = model;
  return {
    id: model.slug,
    display_name: model.displayName,
    owned_by: model.ownedBy,
    created_at: rfc3339(model.createdAt),
    aliases: model.aliases,
    context_window: model.contextWindowTokens,
    max_output_tokens: model.maxOutputTokens,
    reasoning: model.reasoning,
    reasoning_assumed: model.reasoningAssumed,
    simulated: model.simulated,
    pricing: {
      prompt: price.promptToken,
      cached_prompt: price.cachedPromptToken,
      cache_creation: price.cacheCreationToken,
      output: price.outputToken,
      usd_per_service_token: usdPerServiceToken,
    },
    targets: model.targets.map(({ upstreamId, upstreamModel }) => ({ upstream: upstreamId, model: upstreamModel })),
    fallbacks: model.fallbacks,
  };
}

export function encodePlan({ id, name, limits, excludedModels }: Plan): JsonObject {
  return {
    id,
    name,
    limits: encodePlanLimits(limits),
    excluded_models: [...excludedModels],
  };
}
