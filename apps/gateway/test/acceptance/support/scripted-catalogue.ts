import type { JsonObject } from '@tollgate/core';
import type { ScriptedUpstream } from '@tollgate/testkit';

/** Limits so high that no test reaches them by accident. */
export const AMPLE_PLAN: JsonObject = {
  name: 'Ample', requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrent_requests: 1000, max_context_tokens: 128_000,
  active_keys: 50,
};

/** An upstream of a catalogue. Each model name at it has its own connections and circuit. */
export function scriptedEntry({ baseUrl }: ScriptedUpstream, more: JsonObject = {}): JsonObject {
  return { kind: 'openai', base_url: baseUrl, api_key: 'upstream-secret', ...more };
}

/** Per million tokens: 0.001 service tokens per prompt token, a tenth if cached, 0.002 per output token. */
export const PRICE: JsonObject = { prompt: 1000, cached_prompt: 100, output: 2000 };

export interface ModelEntryOptions {
  /** Name of an upstream; default `scripted`. */
  readonly upstream?: string;
  readonly price?: JsonObject;
  readonly fallbacks?: readonly string[];
  readonly more?: JsonObject;
}

/** A model of a catalogue; its name at the upstream is `up-` followed by the slug. */
export function modelEntry(slug: string, { upstream = 'scripted', price = PRICE, fallbacks = [], more = {} }: ModelEntryOptions = {}): JsonObject {
  return {
    context_window: 128_000,
    max_output_tokens: 8192,
    price,
    targets: [{ upstream, model: `up-${slug}` }],
    fallbacks: [...fallbacks],
    ...more,
  };
}

/** A catalogue in which one service token costs a tenth of a cent. */
export function catalogueFile(upstreams: JsonObject, models: JsonObject, plans: JsonObject = {}): JsonObject {
  return { usd_per_service_token: 0.001, minimum_reservation: 0.001, upstreams, models, plans: { ample: AMPLE_PLAN, ...plans } };
}
