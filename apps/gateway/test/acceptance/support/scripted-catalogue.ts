import type { JsonObject } from '@tollgate/core';
import type { ScriptedUpstream } from '@tollgate/testkit';

/** Limits that no test meets by accident. */
export const AMPLE_PLAN: JsonObject = {
  name: 'Ample', requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrent_requests: 1000, max_context_tokens: 128_000,
  active_keys: 50,
};

/** An upstream of the catalogue that is the scripted one; each name has connections and a circuit of its own. */
export function scriptedEntry({ baseUrl }: ScriptedUpstream, more: JsonObject = {}): JsonObject {
  return { kind: 'openai', base_url: baseUrl, api_key: 'upstream-secret', ...more };
}

/** Prices are per million tokens: 0.001 service tokens for a prompt token, a tenth of it when cached, 0.002 for an output token. */
export const PRICE: JsonObject = { prompt: 1000, cached_prompt: 100, output: 2000 };

export interface ModelEntryOptions {
  /** The upstream that has it; `scripted` unless given. */
  readonly upstream?: string;
  readonly price?: JsonObject;
  readonly fallbacks?: readonly string[];
  readonly more?: JsonObject;
}

/** A model of the catalogue; its upstream knows it as `up-` and its slug. */
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

/** A catalogue file's content; one service token is worth a tenth of a cent. */
export function catalogueFile(upstreams: JsonObject, models: JsonObject, plans: JsonObject = {}): JsonObject {
  return { usd_per_service_token: 0.001, minimum_reservation: 0.001, upstreams, models, plans: { ample: AMPLE_PLAN, ...plans } };
}
