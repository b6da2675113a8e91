import { type Catalogue, type Model, type Price, type RateName, rfc3339, TOKEN_RATES, type TokenRate, unixSeconds } from '@tollgate/core';

/** Rates by their names in catalogues. */
function encodePrice(price: Price) {
  return Object.fromEntries(TOKEN_RATES.map(({ name, field }) => [name, price[field]])) as Readonly<Record<RateName, TokenRate>>;
}

/** The same in every format. Prices are decimal strings. */
export function encodeModel(model: Model, { usdPerServiceToken }: Pick<Catalogue, 'usdPerServiceToken'>) {
  const { price } = model;
  return {
    id: model.slug,
    object: 'model' as const,
    type: 'model' as const,
    created: unixSeconds(model.createdAt),
    created_at: rfc3339(model.createdAt),
    owned_by: model.ownedBy,
    display_name: model.displayName,
    aliases: model.aliases,
    context_window: model.contextWindowTokens,
    max_output_tokens: model.maxOutputTokens,
    reasoning: model.reasoning,
    reasoning_assumed: model.reasoningAssumed,
    simulated: model.simulated,
    pricing: {
      unit: 'service tokens per model token' as const,
      ...encodePrice(price),
      usd_per_service_token: usdPerServiceToken,
    },
  };
}

/** Adds upstreams and fallbacks. */
export function encodeOperatorModel(model: Model, catalogue: Pick<Catalogue, 'usdPerServiceToken'>) {
  return {
    ...encodeModel(model, catalogue),
    targets: model.targets.map(({ upstreamId, upstreamModel }) => ({ upstream: upstreamId, model: upstreamModel })),
    fallbacks: model.fallbacks,
  };
}
