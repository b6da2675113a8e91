import { instant, type Model, type ModelSlug, parseTokenRate, type Price, tokenCount } from '@tollgate/core';

/** A price with rates in the order prompt, cached prompt, cache creation, output. */
export function aPrice(promptToken: string, cachedPromptToken: string, ...[cacheCreationToken, outputToken]: readonly [string, string]): Price {
  return {
    promptToken: parseTokenRate(promptToken),
    cachedPromptToken: parseTokenRate(cachedPromptToken),
    cacheCreationToken: parseTokenRate(cacheCreationToken),
    outputToken: parseTokenRate(outputToken),
  };
}

/** A model named `small`, at 1 service token per prompt token and 2 per output token, with a window of 100,000 tokens, up to 8,192 of output, and one target of its own name at `upstream`. */
export function aModel(differences: Partial<Model> = {}): Model {
  const slug = differences.slug ?? 'small' as ModelSlug;
  return {
    slug,
    displayName: slug,
    ownedBy: 'tests',
    createdAt: instant(Date.UTC(2026, 0, 1)),
    aliases: [],
    contextWindowTokens: tokenCount(100_000),
    maxOutputTokens: tokenCount(8192),
    reasoning: false,
    reasoningAssumed: false,
    simulated: false,
    price: aPrice('1', '0.1', '1', '2'),
    targets: [{ upstreamId: 'upstream', upstreamModel: slug }],
    fallbacks: [],
    ...differences,
  };
}
