import {
  assertNever, Catalogue, DEFAULT_REQUEST_LIMITS, type DiscoveredModel, type Model, type ModelSlug, type RequestLimits, STANDARD_PLANS, tokenCount,
  type TokenCount, type UpstreamDefinition, type UpstreamTimeouts,
} from '@tollgate/core';
import type { UpstreamServer } from '../settings/settings.js';
import { identifier } from './catalogue-schema.js';
import { DEFAULT_CREATED_AT } from './decode-entries.js';
import { DEFAULT_MIN_RESERVATION, DEFAULT_PRICE, DEFAULT_USD_PER_SERVICE_TOKEN } from './catalogue-defaults.js';
import type { LoadedCatalogue } from './loaded-catalogue.js';
import { readersAmong, readingOf } from './upstream-readers.js';

export type DiscoveredServer = UpstreamServer & { readonly timeouts: UpstreamTimeouts };

/** Context window of models whose server does not state it. */
export const DEFAULT_CONTEXT_WINDOW = tokenCount(128_000);
/** Maximum output of models whose server does not state it; at most the context window. */
export const DEFAULT_MAX_OUTPUT = tokenCount(16_384);
export const DISCOVERED_UPSTREAM_ID = 'upstream';

/** A catalogue of the listed models under their own ids, at the default price. Omits duplicates, and ids that `identifier` refuses. */
export function catalogueFromDiscovery(
  discovered: readonly DiscoveredModel[], server: DiscoveredServer, requestLimits: RequestLimits = DEFAULT_REQUEST_LIMITS,
): LoadedCatalogue {
  const usable = new Map(discovered.filter(({ id }) => identifier.safeParse(id).success).map((model) => [model.id, model]));
  const upstream = upstreamOf(server);
  const reading = readingOf([upstream.id], readersAmong([upstream]));
  return {
    catalogue: new Catalogue({
      models: [...usable.values()].map((model) => ({ ...modelOf(model, usable), ...reading })),
      plans: STANDARD_PLANS,
      usdPerServiceToken: DEFAULT_USD_PER_SERVICE_TOKEN,
      minimumReservation: DEFAULT_MIN_RESERVATION,
      requestLimits,
    }),
    upstreams: [upstream],
  };
}

function upstreamOf(server: DiscoveredServer): UpstreamDefinition {
  const { baseUrl, apiKey, timeouts } = server;
  const common = { id: DISCOVERED_UPSTREAM_ID, baseUrl, apiKey };
  switch (server.kind) {
    case 'openai': return { ...common, kind: 'openai', options: { reasoningStyle: server.reasoningStyle, timeouts } };
    case 'anthropic': return { ...common, kind: 'anthropic', options: { reasoningStyle: server.reasoningStyle, timeouts } };
    case 'responses': return { ...common, kind: 'responses', options: { reasoningStyle: server.reasoningStyle, timeouts } };
    default: return assertNever(server);
  }
}

/** Tag that Ollama adds to names without a tag. */
const LATEST = ':latest';

/** Names with Ollama's default tag are also known without it, unless another model has that name. */
function aliasesOf(id: string, all: ReadonlyMap<string, DiscoveredModel>): readonly string[] {
  const untagged = id.slice(0, -LATEST.length);
  return id.endsWith(LATEST) && untagged !== '' && !all.has(untagged) ? [untagged] : [];
}

function modelOf({ id, contextWindowTokens, maxOutputTokens }: DiscoveredModel, all: ReadonlyMap<string, DiscoveredModel>): Model {
  const window = contextWindowTokens === null ? DEFAULT_CONTEXT_WINDOW : tokenCount(contextWindowTokens);
  return {
    slug: id as ModelSlug,
    displayName: id,
    ownedBy: DISCOVERED_UPSTREAM_ID,
    createdAt: DEFAULT_CREATED_AT,
    aliases: aliasesOf(id, all),
    contextWindowTokens: window,
    maxOutputTokens: Math.min(window, maxOutputTokens ?? DEFAULT_MAX_OUTPUT) as TokenCount,
    enforcesMaxTokens: true,
    reasoning: true,
    reasoningAssumed: true,
    simulated: false,
    price: DEFAULT_PRICE,
    targets: [{ upstreamId: DISCOVERED_UPSTREAM_ID, upstreamModel: id }],
    fallbacks: [],
  };
}
