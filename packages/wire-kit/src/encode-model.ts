import { type Catalogue, type Model, rfc3339, STANDARD_PRICES, unixSeconds, utcDayOf } from '@tollgate/core';
import { encodeNextPrice, encodeRates } from './encode-price-list.js';

/** The model, the same in every format; prices are decimal strings. For the prices of an account, pass a model of a catalogue from `inForce`. */
export function encodeModel(model: Model, { usdPerServiceToken }: Pick<Catalogue, 'usdPerServiceToken'>) {
  const { price, priceVersion = STANDARD_PRICES, nextPrice, shutdown, description, inputModalities } = model;
  return {
    id: model.slug,
    object: 'model' as const,
    type: 'model' as const,
    created: unixSeconds(model.createdAt),
    created_at: rfc3339(model.createdAt),
    owned_by: model.ownedBy,
    display_name: model.displayName,
    ...(description === undefined ? {} : { description }),
    aliases: model.aliases,
    context_window: model.contextWindowTokens,
    max_output_tokens: model.maxOutputTokens,
    reasoning: model.reasoning,
    reasoning_assumed: model.reasoningAssumed,
    ...(inputModalities === undefined ? {} : { input_modalities: inputModalities }),
    simulated: model.simulated,
    pricing: {
      unit: 'service tokens per model token' as const,
      ...encodeRates(price),
      usd_per_service_token: usdPerServiceToken,
    },
    price_list: priceVersion.list,
    price_version: priceVersion.version,
    next_price: encodeNextPrice(nextPrice),
    shutdown_date: shutdown === undefined ? null : utcDayOf(shutdown.at),
    successor: shutdown?.successor ?? null,
  };
}

/** The model as operators see it: with upstreams and fallbacks. */
export function encodeOperatorModel(model: Model, catalogue: Pick<Catalogue, 'usdPerServiceToken'>) {
  return {
    ...encodeModel(model, catalogue),
    targets: model.targets.map(({ upstreamId, upstreamModel }) => ({ upstream: upstreamId, model: upstreamModel })),
    fallbacks: model.fallbacks,
  };
}
