import { describe, expect, it } from '@jest/globals';
import { tokenCount } from '../primitives/token-count.js';
import { NO_PROMPT_PARTS } from './token-classes.js';
import { largestCrediblePrompt, passesMaximum, type ReportedUsage, trustedUsage } from './trusted-usage.js';
import { NO_USAGE, outputTokensOf, promptTokensOf, totalTokensOf } from './usage.js';

const REPORT: ReportedUsage = { ...NO_PROMPT_PARTS, promptTokens: 100, cachedPromptTokens: 30, cacheCreationTokens: 20, outputTokens: 50, reasoningTokens: 10, totalTokens: 150 };

function trusted(report: ReportedUsage, countedOutput = 50): ReturnType<typeof trustedUsage> {
  return trustedUsage(report, {
    largestPromptTokens: tokenCount(1000),
    maxOutputTokens: tokenCount(400),
    counted: { ...NO_USAGE, uncachedPromptTokens: tokenCount(90), visibleOutputTokens: tokenCount(countedOutput) },
  });
}

describe('a usage report in mid-reply', () => {
  it.each<readonly [name: string, differences: Partial<ReportedUsage>, passes: boolean]>([
    ['of exactly the maximum does not exceed the maximum', { outputTokens: 400, totalTokens: 500 }, false],
    ['of more than the maximum exceeds the maximum', { outputTokens: 401, totalTokens: 501 }, true],
    ['of more than the maximum, without a total, exceeds the maximum', { outputTokens: 401, totalTokens: null }, true],
    ['of more than its own total is ignored', { outputTokens: 5000, totalTokens: 20 }, false],
    ['of a fraction of a token is ignored', { outputTokens: 400.5, totalTokens: null }, false],
  ])('%s', (_name, differences, passes) => {
    expect(passesMaximum({ ...REPORT, ...differences }, tokenCount(400))).toBe(passes);
  });
});

describe('usage that an upstream reports', () => {
  it('becomes disjoint token classes that add up to the report', () => {
    const usage = trusted(REPORT);
    expect(usage).toEqual({
      ...NO_USAGE, uncachedPromptTokens: 50, cachedPromptTokens: 30, cacheCreationTokens: 20, reasoningTokens: 10, visibleOutputTokens: 40, source: 'reported',
      reasoningWithheld: false,
    });
    expect([promptTokensOf(usage), outputTokensOf(usage), totalTokensOf(usage)]).toEqual([100, 50, 150]);
  });

  it.each<readonly [name: string, differences: Partial<ReportedUsage>, countedOutput: number, source: string]>([
    ['consistent figures (trusted)', {}, 50, 'reported'],
    ['all of the prompt cached (trusted)', { cachedPromptTokens: 80, cacheCreationTokens: 20 }, 50, 'reported'],
    ['more cached than the whole prompt (not trusted)', { cachedPromptTokens: 81, cacheCreationTokens: 20 }, 50, 'counted'],
    ['all output reasoning (trusted)', { reasoningTokens: 50 }, 50, 'reported'],
    ['more reasoning than output (not trusted)', { reasoningTokens: 51 }, 50, 'counted'],
    ['the largest prompt (trusted)', { promptTokens: 1000 }, 50, 'reported'],
    ['more than the largest prompt (not trusted)', { promptTokens: 1001 }, 50, 'counted'],
    ['no prompt at all (not trusted)', { promptTokens: 0, cachedPromptTokens: 0, cacheCreationTokens: 0 }, 50, 'counted'],
    ['the largest output (trusted)', { outputTokens: 400 }, 50, 'reported'],
    ['2 % more than the largest output (trusted)', { outputTokens: 408 }, 50, 'reported'],
    ['more than 2 % above the largest output (not trusted)', { outputTokens: 409 }, 50, 'counted'],
    ['no output where none was counted (trusted)', { outputTokens: 0, reasoningTokens: 0 }, 0, 'reported'],
    ['no output where one token was counted (not trusted)', { outputTokens: 0, reasoningTokens: 0 }, 1, 'counted'],
    ['an eighth of the counted output (trusted)', { outputTokens: 10, reasoningTokens: 0 }, 80, 'reported'],
    ['less than an eighth of the counted output (not trusted)', { outputTokens: 10, reasoningTokens: 0 }, 81, 'counted'],
    ['one token where 63 were counted (trusted)', { outputTokens: 1, reasoningTokens: 0 }, 63, 'reported'],
    ['one token where 64 were counted (not trusted)', { outputTokens: 1, reasoningTokens: 0 }, 64, 'counted'],
    ['a negative count (not trusted)', { cachedPromptTokens: -1 }, 50, 'counted'],
    ['a negative reasoning count (not trusted)', { reasoningTokens: -1 }, 50, 'counted'],
    ['half a token (not trusted)', { outputTokens: 50.5 }, 50, 'counted'],
    ['half a token of reasoning (not trusted)', { reasoningTokens: 10.5 }, 50, 'counted'],
    ['an output that is not a number (not trusted)', { outputTokens: Number.NaN }, 50, 'counted'],
    ['an infinite prompt (not trusted)', { promptTokens: Infinity }, 50, 'counted'],
  ])('is trusted only if it is plausible: %s', (_name, differences, ...[countedOutput, source]) => {
    const report = { ...REPORT, ...differences };
    expect(trusted({ ...report, totalTokens: report.promptTokens + report.outputTokens }, countedOutput).source).toBe(source);
  });

  it.each<readonly [name: string, totalTokens: number | null, source: string]>([
    ['adds up', 150, 'reported'], ['is not stated', null, 'reported'], ['is one less', 149, 'counted'], ['is one more', 151, 'counted'], ['is no number', Number.NaN, 'counted'],
  ])('is accepted only if its total adds up or is missing: a total that %s', (_name, ...[totalTokens, source]) => {
    expect(trusted({ ...REPORT, totalTokens }).source).toBe(source);
  });

  it.each<readonly [name: string, differences: Partial<ReportedUsage>, reasoning: number, visible: number]>([
    ['visible output is cut', { outputTokens: 408, reasoningTokens: 10 }, 10, 390],
    ['reasoning alone is cut to the maximum', { outputTokens: 408, reasoningTokens: 405 }, 400, 0],
  ])('is clipped to the maximum if it exceeds the maximum slightly: %s', (_name, differences, ...[reasoning, visible]) => {
    expect(trusted({ ...REPORT, ...differences, totalTokens: null })).toMatchObject({ reasoningTokens: reasoning, visibleOutputTokens: visible, source: 'reported' });
  });

  it.each([
    [25, 0, 2148], [1000, 0, 6048], [25, 2, 2148 + 16_384], [525, 0, 4148],
  ])('for a prompt estimated at %d tokens, with %d images, is plausible up to %d prompt tokens', (promptTokens, ...[imageCount, largest]) => {
    expect(largestCrediblePrompt({ promptTokens: tokenCount(promptTokens), imageCount })).toBe(largest);
  });

  it.each<readonly [name: string, stated: number | null, output: number, seen: number, text: number, reasoning: number]>([
    ['the reported figure', 20, 50, 10, 40, 20],
    ['the counted figure if none is reported', null, 50, 10, 40, 10],
    ['the counted figure if zero is reported', 0, 50, 10, 40, 10],
    ['its counted share of the reported output if more output was counted than reported', null, 50, 60, 40, 30],
    ['zero if no reasoning was counted', null, 50, 0, 100, 0],
    ['zero if no output was counted', null, 50, 0, 0, 0],
  ])('has as reasoning %s', (_name, reasoningTokens, ...[outputTokens, seen, text, reasoning]) => {
    const counted = { ...NO_USAGE, uncachedPromptTokens: tokenCount(90), reasoningTokens: tokenCount(seen), visibleOutputTokens: tokenCount(text) };
    const usage = trustedUsage({ ...REPORT, outputTokens, reasoningTokens, totalTokens: null }, { largestPromptTokens: tokenCount(1000), maxOutputTokens: tokenCount(400), counted });
    expect([usage.source, usage.reasoningTokens, outputTokensOf(usage)]).toEqual(['reported', reasoning, outputTokens]);
  });
});
