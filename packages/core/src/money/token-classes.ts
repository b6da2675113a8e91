/**
 * Disjoint classes of model tokens, each with its rate; an output class may have several counts. Columns, sums, encoders and prices follow this
 * order. A new class must come after the other classes of its part.
 */
export const TOKEN_CLASSES = [
  {
    name: 'uncached_prompt', part: 'prompt', rate: { name: 'prompt', field: 'promptToken' },
    counts: [{ name: 'uncached_prompt', field: 'uncachedPromptTokens' }],
  },
  {
    name: 'cached_prompt', part: 'prompt', rate: { name: 'cached_prompt', field: 'cachedPromptToken' },
    counts: [{ name: 'cached_prompt', field: 'cachedPromptTokens' }],
  },
  {
    name: 'cache_creation', part: 'prompt', rate: { name: 'cache_creation', field: 'cacheCreationToken' },
    counts: [{ name: 'cache_creation', field: 'cacheCreationTokens' }],
  },
  {
    name: 'output', part: 'output', rate: { name: 'output', field: 'outputToken' },
    counts: [{ name: 'reasoning', field: 'reasoningTokens' }, { name: 'visible_output', field: 'visibleOutputTokens' }],
  },
] as const;

type TokenClassEntry = (typeof TOKEN_CLASSES)[number];
type CountEntry = TokenClassEntry['counts'][number];
type CountOf<Part extends TokenClassEntry['part']> = Extract<TokenClassEntry, { readonly part: Part }>['counts'][number];

export type TokenClass = TokenClassEntry['name'];
/** The name of a rate in catalogues and lists of models. */
export type RateName = TokenClassEntry['rate']['name'];
export type RateField = TokenClassEntry['rate']['field'];
/** Name of a count in columns, metrics and encoders, without the suffix `_tokens`. */
export type CountName = CountEntry['name'];
export type CountField = CountEntry['field'];
/** Parts of the prompt that upstreams report; the rest is uncached. */
export type PromptPart = Exclude<CountOf<'prompt'>['field'], 'uncachedPromptTokens'>;
export type PromptCounts = Readonly<Record<CountOf<'prompt'>['field'], number>>;
export type OutputCounts = Readonly<Record<CountOf<'output'>['field'], number>>;

export const TOKEN_RATES: readonly TokenClassEntry['rate'][] = TOKEN_CLASSES.map(({ rate }) => rate);
export const TOKEN_COUNTS: readonly CountEntry[] = TOKEN_CLASSES.flatMap(({ counts }): readonly CountEntry[] => counts);

export const PROMPT_COUNTS: readonly CountOf<'prompt'>[] = TOKEN_CLASSES.flatMap((entry): readonly CountOf<'prompt'>[] => (entry.part === 'prompt' ? entry.counts : []));
export const OUTPUT_COUNTS: readonly CountOf<'output'>[] = TOKEN_CLASSES.flatMap((entry): readonly CountOf<'output'>[] => (entry.part === 'output' ? entry.counts : []));
export const PROMPT_PARTS = PROMPT_COUNTS.map(({ field }) => field).filter((field): field is PromptPart => field !== 'uncachedPromptTokens');

export function perCount<Value>(valueOf: (count: CountEntry) => Value): Readonly<Record<CountField, Value>> {
  return Object.fromEntries(TOKEN_COUNTS.map((count) => [count.field, valueOf(count)])) as Record<CountField, Value>;
}

export function perRate<Value>(valueOf: (rate: TokenClassEntry['rate']) => Value): Readonly<Record<RateField, Value>> {
  return Object.fromEntries(TOKEN_RATES.map((rate) => [rate.field, valueOf(rate)])) as Record<RateField, Value>;
}

export function perPromptPart<Value>(valueOf: (part: PromptPart) => Value): Readonly<Record<PromptPart, Value>> {
  return Object.fromEntries(PROMPT_PARTS.map((part) => [part, valueOf(part)])) as Record<PromptPart, Value>;
}

/** For an upstream that reports no parts of the prompt. */
export const NO_PROMPT_PARTS: Readonly<Record<PromptPart, 0>> = perPromptPart(() => 0 as const);
