import { describe, expect, it } from '@jest/globals';
import { tokenCount } from '../ids.js';
import { type ReportedUsage, trustedUsage } from './reported-usage.js';
import { NO_USAGE, outputTokensOf, promptTokensOf, totalTokensOf } from './usage.js';

const REPORT: ReportedUsage = { promptTokens: 100, cachedPromptTokens: 30, cacheCreationTokens: 20, outputTokens: 50, reasoningTokens: 10 };

function trusted(report: ReportedUsage | null, countedOutput = 50): ReturnType<typeof trustedUsage> {
  return trustedUsage(report, {
    contextWindowTokens: tokenCount(1000),
    maxOutputTokens: tokenCount(400),
    counted: { ...NO_USAGE, uncachedPromptTokens: tokenCount(90), visibleOutputTokens: tokenCount(countedOutput) },
  });
}

describe('usage that an upstream reports', () => {
  it('becomes disjoint classes that sum to the report', () => {
    const usage = trusted(REPORT);
    expect(usage).toEqual({
      uncachedPromptTokens: 50, cachedPromptTokens: 30, cacheCreationTokens: 20, reasoningTokens: 10, visibleOutputTokens: 40, source: 'reported',
      reasoningWithheld: false,
    });
    expect([promptTokensOf(usage), outputTokensOf(usage), totalTokensOf(usage)]).toEqual([100, 50, 150]);
  });

  it.each<readonly [name: string, differences: Partial<ReportedUsage>, countedOutput: number, source: string]>([
    ['as it should be', {}, 50, 'reported'],
    ['all of the prompt cached', { cachedPromptTokens: 80, cacheCreationTokens: 20 }, 50, 'reported'],
    ['more cached than there was', { cachedPromptTokens: 81, cacheCreationTokens: 20 }, 50, 'counted'],
    ['all output reasoning', { reasoningTokens: 50 }, 50, 'reported'],
    ['more reasoning than output', { reasoningTokens: 51 }, 50, 'counted'],
    ['a prompt as large as the window', { promptTokens: 1000 }, 50, 'reported'],
    ['a prompt larger than the window', { promptTokens: 1001 }, 50, 'counted'],
    ['no prompt at all', { promptTokens: 0, cachedPromptTokens: 0, cacheCreationTokens: 0 }, 50, 'counted'],
    ['the largest output', { outputTokens: 400 }, 50, 'reported'],
    ['more than the largest output', { outputTokens: 401 }, 50, 'counted'],
    ['no output where none was relayed', { outputTokens: 0, reasoningTokens: 0 }, 0, 'reported'],
    ['no output where one token was relayed', { outputTokens: 0, reasoningTokens: 0 }, 1, 'counted'],
    ['an eighth of what was relayed', { outputTokens: 10, reasoningTokens: 0 }, 80, 'reported'],
    ['less than an eighth of what was relayed', { outputTokens: 10, reasoningTokens: 0 }, 81, 'counted'],
    ['very little where little was relayed', { outputTokens: 1, reasoningTokens: 0 }, 63, 'reported'],
    ['very little where enough was relayed to tell', { outputTokens: 1, reasoningTokens: 0 }, 64, 'counted'],
    ['a negative count', { cachedPromptTokens: -1 }, 50, 'counted'],
    ['half a token', { outputTokens: 50.5 }, 50, 'counted'],
    ['no number', { outputTokens: Number.NaN }, 50, 'counted'],
    ['an infinite number', { promptTokens: Infinity }, 50, 'counted'],
  ])('%s', (_name, differences, ...[countedOutput, source]) => {
    expect(trusted({ ...REPORT, ...differences }, countedOutput).source).toBe(source);
  });

  it.each<readonly [name: string, stated: number | null, output: number, seen: number, text: number, reasoning: number]>([
    ['what is stated counts', 20, 50, 10, 40, 20],
    ['what was seen counts where nothing is stated', null, 50, 10, 40, 10],
    ['what was seen counts where none is stated beside it', 0, 50, 10, 40, 10],
    ['what was seen is a share of the output where our count exceeds it', null, 50, 60, 40, 30],
    ['none was seen', null, 50, 0, 100, 0],
    ['nothing was seen', null, 50, 0, 0, 0],
  ])('reasoning: %s', (_name, reasoningTokens, ...[outputTokens, seen, text, reasoning]) => {
    const counted = { ...NO_USAGE, uncachedPromptTokens: tokenCount(90), reasoningTokens: tokenCount(seen), visibleOutputTokens: tokenCount(text) };
    const usage = trustedUsage({ ...REPORT, outputTokens, reasoningTokens }, { contextWindowTokens: tokenCount(1000), maxOutputTokens: tokenCount(400), counted });
    expect([usage.source, usage.reasoningTokens, outputTokensOf(usage)]).toEqual(['reported', reasoning, outputTokens]);
  });

  it('is replaced by our own count when there is none', () => {
    expect(trusted(null, 7)).toMatchObject({ uncachedPromptTokens: 90, visibleOutputTokens: 7, source: 'counted' });
  });
});
