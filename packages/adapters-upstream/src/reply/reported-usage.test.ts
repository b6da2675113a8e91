import { describe, expect, it } from '@jest/globals';
import {
  type CountField, type JsonObject, NO_USAGE, outputTokensOf, perCount, perPromptPart, PROMPT_PARTS, type PromptPart, promptTokensOf, tokenCount, trustedUsage,
  type Usage,
} from '@tollgate/core';
import * as fc from 'fast-check';
import { readUsage, USAGE_FIELDS, type UsageFigure } from './reported-usage.js';

/** Used tokens, in classes that do not overlap. */
type Used = Readonly<Record<CountField, number>>;

/** Minimum counts of a served request. */
const LEAST: Readonly<Partial<Used>> = { uncachedPromptTokens: 1, visibleOutputTokens: 1 };
const arbitraryUsed: fc.Arbitrary<Used> = fc.record(perCount(({ field }) => fc.integer({ min: LEAST[field] ?? 0, max: 500 })));

/** Whether some servers count this part apart from the prompt, as `cacheApart` reads it. */
const MAY_BE_APART: Readonly<Record<PromptPart, boolean>> = { cachedPromptTokens: true, cacheCreationTokens: true };

/** How a server states usage: which figures include others, and their names. */
interface Dialect {
  readonly cache: 'part' | 'apart';
  readonly reasoning: 'part' | 'apart';
  readonly names: Readonly<Record<UsageFigure, string>>;
}

const arbitraryNames = fc.record(Object.fromEntries(Object.entries(USAGE_FIELDS).map(([figure, fields]) => [figure, fc.constantFrom(...fields)]))) as fc.Arbitrary<Dialect['names']>;
const arbitraryDialect: fc.Arbitrary<Dialect> = fc.record({ cache: fc.constantFrom('part', 'apart'), reasoning: fc.constantFrom('part', 'apart'), names: arbitraryNames });

function tokensApart(used: Used): number {
  return PROMPT_PARTS.filter((part) => MAY_BE_APART[part]).reduce((total, part) => total + used[part], 0);
}

function figuresOf(used: Used, dialect: Dialect): Readonly<Record<UsageFigure, number>> {
  return {
    ...perPromptPart((part) => used[part]),
    prompt: promptTokensOf(used) - (dialect.cache === 'part' ? 0 : tokensApart(used)),
    output: used.visibleOutputTokens + (dialect.reasoning === 'part' ? used.reasoningTokens : 0),
    reasoning: used.reasoningTokens,
    total: promptTokensOf(used) + outputTokensOf(used),
  };
}

function worded(used: Used, dialect: Dialect): JsonObject {
  const figures = figuresOf(used, dialect);
  const usage: Record<string, number | Record<string, number | undefined> | undefined> = {};
  for (const [figure, name] of Object.entries(dialect.names) as readonly [UsageFigure, string][]) {
    const [field = '', inside] = name.split('.');
    usage[field] = inside === undefined ? figures[figure] : { ...(usage[field] as Record<string, number>), [inside]: figures[figure] };
  }
  return usage;
}

/** The usage charged for a reply that the gateway did not count. */
function charged(usage: JsonObject, { modelReasons = false } = {}): Usage {
  const report = readUsage(usage, modelReasons);
  if (report === null) throw new Error('the usage has no totals');
  return trustedUsage(report, { largestPromptTokens: tokenCount(10_000), maxOutputTokens: tokenCount(10_000), counted: NO_USAGE });
}

const classes = ({ uncachedPromptTokens, cachedPromptTokens, cacheCreationTokens, visibleOutputTokens, reasoningTokens, source }: Usage) =>
  [uncachedPromptTokens, cachedPromptTokens, cacheCreationTokens, visibleOutputTokens, reasoningTokens, source];

describe('a reported usage', () => {
  it('is charged by token class, whatever its fields are called and whichever figures include others', () => {
    fc.assert(fc.property(arbitraryUsed, arbitraryDialect, fc.boolean(), (used, dialect, modelReasons) => {
      // If reasoning equals the tokens counted apart from the prompt, the figures have two readings.
      fc.pre(dialect.cache === 'part' || dialect.reasoning === 'apart' || used.reasoningTokens !== tokensApart(used));
      expect(charged(worded(used, dialect), { modelReasons })).toEqual({ ...NO_USAGE, ...used, source: 'reported' });
    }));
  });

  it('is not charged if its total is too low for every interpretation', () => {
    fc.assert(fc.property(arbitraryUsed, arbitraryDialect, fc.nat(), fc.boolean(), (used, dialect, less, modelReasons) => {
      expect(charged({ ...worded(used, dialect), total_tokens: less % (used.uncachedPromptTokens + used.visibleOutputTokens) }, { modelReasons }).source).toBe('counted');
    }));
  });

  it.each<[string, JsonObject, readonly unknown[]]>([
    ['of xAI', { prompt_tokens: 32, completion_tokens: 9, total_tokens: 356, prompt_tokens_details: { cached_tokens: 6 }, completion_tokens_details: { reasoning_tokens: 315 } }, [26, 6, 0, 9, 315, 'reported']],
    ['of DeepSeek', { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 }, [4, 6, 0, 4, 0, 'reported']],
    ['of Moonshot', { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, cached_tokens: 6 }, [4, 6, 0, 4, 0, 'reported']],
    ['of OpenRouter', { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 5 } }, [3, 2, 5, 4, 0, 'reported']],
    ['of DashScope', { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, prompt_tokens_details: { cached_tokens: 2, cache_creation: { ephemeral_5m_input_tokens: 5 }, cache_creation_input_tokens: 5, cache_type: 'ephemeral' } }, [3, 2, 5, 4, 0, 'reported']],
    ['with 0 cached beside the cached part under another name', { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 6, cache_read_input_tokens: 0 }, [4, 6, 0, 4, 0, 'reported']],
    ['with 0 beside its figures under other names', { prompt_tokens: 0, completion_tokens: 0, input_tokens: 10, output_tokens: 4, total_tokens: 14 }, [10, 0, 0, 4, 0, 'reported']],
    ['with a cache as messages servers count', { prompt_tokens: 3, completion_tokens: 4, total_tokens: 107, prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 } }, [3, 90, 10, 4, 0, 'reported']],
    ['with two interpretations, of which separate reasoning takes precedence,', { prompt_tokens: 100, completion_tokens: 50, total_tokens: 180, prompt_tokens_details: { cached_tokens: 30 }, completion_tokens_details: { reasoning_tokens: 30 } }, [70, 30, 0, 50, 30, 'reported']],
    ['with a cached part above its prompt and no total', { prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 90 } }, [0, 0, 0, 0, 0, 'counted']],
    ['with a cached part above its prompt in its total', { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, prompt_tokens_details: { cached_tokens: 90 } }, [0, 0, 0, 0, 0, 'counted']],
    ['of Google, whose total has reasoning that it does not state', { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 }, [0, 0, 0, 0, 0, 'counted']],
  ])('%s is charged by its classes, if they are plausible', (_whose, usage, expected) => {
    expect(classes(charged(usage))).toEqual(expected);
  });

  it.each<[string, JsonObject, readonly unknown[]]>([
    ['of Google', { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 }, [20, 0, 0, 198, 405, 'reported']],
    ['that states no reasoning as 0', { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623, completion_tokens_details: { reasoning_tokens: 0 } }, [20, 0, 0, 198, 405, 'reported']],
    ['whose reasoning differs from the unexplained part', { prompt_tokens: 20, completion_tokens: 198, total_tokens: 623, completion_tokens_details: { reasoning_tokens: 7 } }, [0, 0, 0, 0, 0, 'counted']],
    ['whose total is too small', { prompt_tokens: 20, completion_tokens: 198, total_tokens: 217 }, [0, 0, 0, 0, 0, 'counted']],
  ])('%s, of a known reasoning model, counts the unexplained part of its total as reasoning, if that is plausible', (_whose, usage, expected) => {
    expect(classes(charged(usage, { modelReasons: true }))).toEqual(expected);
  });

  it.each<[JsonObject | null]>([[{}], [{ prompt_tokens: 1 }], [{ completion_tokens: 1 }], [{ prompt_tokens: '1', completion_tokens: 1 }], [null]])('%j is not a usage', (usage) => {
    expect(readUsage(usage, false)).toBeNull();
  });
});
