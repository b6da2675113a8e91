import { type Catalogue, type CatalogueSource, mayUse, type Model, permitModel, rfc3339, unixSeconds } from '@tollgate/core';
import { type Endpoint, readEndpoint } from '../http/middleware/endpoint.js';
import { pathParameter } from '../http/query-parameters.js';
import { sendJson } from '../http/reply/send-json.js';

/** A model as the listing shows it: one shape that clients of every format read. Prices are decimal strings. */
export function encodeModel(model: Model, { usdPerServiceToken }: Catalogue) {
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
      prompt: price.promptToken,
      cached_prompt: price.cachedPromptToken,
      cache_creation: price.cacheCreationToken,
      output: price.outputToken,
      usd_per_service_token: usdPerServiceToken,
    },
  };
}

/** `GET /v1/models` and `GET /v1/models/{slug or alias}`. A slug may contain slashes, escaped or not. */
export function modelsEndpoints(source: CatalogueSource): readonly Endpoint[] {
  return [
    readEndpoint('/v1/models', async (exchange, caller) => {
      const catalogue = source.current();
      const data = catalogue.models.filter((model) => mayUse(model, caller)).map((model) => encodeModel(model, catalogue));
      const ids = data.map(({ id }) => id ?? null);
      sendJson(exchange, 200, { object: 'list', data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null });
    }),
    readEndpoint('/v1/models/*id', async (exchange, caller) => {
      const catalogue = source.current();
      sendJson(exchange, 200, encodeModel(permitModel(pathParameter(exchange, 'id'), catalogue, caller), catalogue));
    }),
  ];
}
