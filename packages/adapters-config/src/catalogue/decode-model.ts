import { type Instant, type Model, type ModelSlug, type Price, parseUtcDay, invariant } from '@tollgate/core';
import type { ModelEntry } from './catalogue-schema.js';

/** Who owns models that do not say so. */
export const DEFAULT_OWNER = 'tollgate';

/** When models came to be that do not say so. It is in every listing, so it must not change from one start to the next. */
export const DEFAULT_CREATED_AT: Instant = firstInstantOf('2026-01-01');

function firstInstantOf(day: string): Instant {
  const at = parseUtcDay(day);
  invariant(at !== null, 'the day is in the calendar');
  return at;
}

/** A model of a checked catalogue. It counts as simulated when nothing but a sandbox serves it. */
export function decodeModel(slug: string, entry: ModelEntry, sandboxes: ReadonlySet<string>): Model {
  return {
    slug: slug as ModelSlug,
    displayName: entry.display_name ?? slug,
    ownedBy: entry.owned_by ?? DEFAULT_OWNER,
    createdAt: entry.created ?? DEFAULT_CREATED_AT,
    aliases: entry.aliases ?? [],
    contextWindowTokens: entry.context_window,
    maxOutputTokens: entry.max_output_tokens,
    reasoning: entry.reasoning ?? false,
    reasoningAssumed: false,
    simulated: entry.targets.every(({ upstream }) => sandboxes.has(upstream)),
    price: decodePrice(entry.price),
    targets: entry.targets.map(({ upstream, model }) => ({ upstreamId: upstream, upstreamModel: model })),
    fallbacks: (entry.fallbacks ?? []).map((fallback) => fallback as ModelSlug),
  };
}

function decodePrice({ prompt, output, cached_prompt, cache_creation }: ModelEntry['price']): Price {
  return { promptToken: prompt, cachedPromptToken: cached_prompt ?? prompt, cacheCreationToken: cache_creation ?? prompt, outputToken: output };
}
