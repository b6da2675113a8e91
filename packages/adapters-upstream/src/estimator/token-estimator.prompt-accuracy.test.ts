import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { aGenerationRequest } from '@tollgate/testkit';
import { LinearTokenEstimator, OUTPUT_SCALE, PROMPT_SCALE, TextTokenCounter, type TokenScale } from './token-estimator.js';
import { AFTER_DIGIT, BEFORE_DIGIT } from './token-weights.js';
import {
  countedTexts, digestOf, fitDigitWeights, fittingTexts, type ReferenceCounts, toolPrompts, VOCABULARIES,
} from './test-support/fit-digit-weights.js';
import { type ToolDescription, toTool } from './test-support/counted-texts.js';

const COUNTS_FILE = new URL('test-support/reference-counts.json', import.meta.url);
const PAGE = new URL('../../../../docs/estimates.md', import.meta.url);
/** Position of the target between the lowest (0) and the highest (1) count of the vocabularies. */
const SHARE_OF_HIGHEST = 2 / 3;

const texts = fittingTexts();
const tools = toolPrompts();
// Set by `npm run fit-estimator`, which counts the tokens of the written texts.
if (process.env['FIT_TEXTS'] !== undefined) writeFileSync(process.env['FIT_TEXTS'], JSON.stringify({ digest: digestOf(countedTexts()), texts: countedTexts() }));
const { digest, counts } = JSON.parse(readFileSync(COUNTS_FILE, 'utf8')) as ReferenceCounts;

function estimateOf(text: string, scale: TokenScale): number {
  const counter = new TextTokenCounter(scale);
  counter.add(text);
  return counter.tokens;
}

function countsAt(index: number): readonly number[] {
  return VOCABULARIES.map((vocabulary) => counts[vocabulary][index] ?? Number.NaN);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Errors of one category: the medians compared with the vocabularies of the most and the fewest tokens, and the extremes over all vocabularies. */
interface Spread {
  readonly besideMost: number;
  readonly besideLeast: number;
  readonly lowest: number;
  readonly highest: number;
}

function spreadOf(category: string, scale: TokenScale): Spread {
  const judged = texts.flatMap((text, index) => (text.category === category && !text.isFitted ? [{ estimate: estimateOf(text.text, scale), counted: countsAt(index) }] : []));
  const errors = VOCABULARIES.map((_vocabulary, at) => judged.map(({ estimate, counted }) => estimate / (counted[at] ?? Number.NaN) - 1));
  const medians = errors.map(median);
  return { besideMost: Math.min(...medians), besideLeast: Math.max(...medians), lowest: Math.min(...errors.flat()), highest: Math.max(...errors.flat()) };
}

function estimateOfTools(list: readonly ToolDescription[]): number {
  const estimator = new LinearTokenEstimator();
  return estimator.estimatePrompt(aGenerationRequest({ tools: list.map(toTool) })) - estimator.estimatePrompt(aGenerationRequest());
}

/** A simpler estimate for comparison: 8 tokens per tool, plus its texts. */
function estimateOfBareTools(list: readonly ToolDescription[]): number {
  return list.reduce((sum, { name, description, parameters }) =>
    sum + 8 + [name, description, JSON.stringify(parameters)].reduce((tokens, text) => tokens + estimateOf(text, OUTPUT_SCALE), 0), 0);
}

const CATEGORIES = [...new Set(texts.map(({ category }) => category))];
/** Categories without a bound on the error: mostly digits, whose counts differ threefold between vocabularies, and emoji, which are not fitted. */
const UNLIKE: ReadonlySet<string> = new Set(['digits', 'numbers', 'emoji', 'emoji among words']);
const ORDINARY = CATEGORIES.filter((category) => !UNLIKE.has(category));

describe('the reference counts', () => {
  it('are those of the current texts', () => {
    expect(digest).toBe(digestOf(countedTexts()));
    expect(VOCABULARIES.map((vocabulary) => counts[vocabulary].length)).toEqual(VOCABULARIES.map(() => countedTexts().length));
  });

  it('yield the configured weights of pairs of characters with a digit', () => {
    const samples = texts.flatMap(({ text, isFitted }, index) => {
      const [least, most] = [Math.min(...countsAt(index)), Math.max(...countsAt(index))];
      return isFitted && /\d\d/.test(text) ? [{ text, tokens: least + SHARE_OF_HIGHEST * (most - least) }] : [];
    });
    expect({ afterDigit: AFTER_DIGIT, beforeDigit: BEFORE_DIGIT }).toEqual(fitDigitWeights(samples));
  });
});

describe('estimates of prompts, compared with five vocabularies,', () => {
  it.each(ORDINARY)('of %s are less than 30 % too low and less than 50 % too high', (category) => {
    const { besideMost, besideLeast, lowest, highest } = spreadOf(category, PROMPT_SCALE);
    expect([besideMost > -0.27, besideLeast < 0.45, lowest > -0.3, highest < 0.5]).toEqual([true, true, true, true]);
  });

  it.each<readonly [category: string, besideMost: number, besideLeast: number]>([
    ['digits', -0.25, 1.4], ['numbers', -0.2, 0.6], ['hex', -0.12, 0.45], ['json, compact', -0.12, 0.33], ['comma-separated values', -0.15, 0.33], ['log', -0.12, 0.3],
  ])('of %s are less far below the highest counts than estimates of outputs are, and have bounded errors', (category, ...[besideMost, besideLeast]) => {
    const [before, after] = [spreadOf(category, OUTPUT_SCALE), spreadOf(category, PROMPT_SCALE)];
    expect(after.besideMost).toBeGreaterThan(Math.max(besideMost, before.besideMost));
    expect(after.besideLeast).toBeLessThan(besideLeast);
  });

  it.each(tools.map((prompt, index) => [prompt.tools.length, prompt.template, prompt, texts.length + index] as const))('of %i tools in the template of %s are at most a quarter below the counts of its models', (_count, template, prompt, index) => {
    const [qwen, llama] = countsAt(index) as readonly [number, number];
    const error = estimateOfTools(prompt.tools) / (template === 'indented' ? llama : qwen) - 1;
    expect(error).toBeGreaterThan(-0.25);
    // A bare list lacks the instructions, which are most of the prompt of a single tool.
    expect(error).toBeLessThan(template === 'a bare list' && prompt.tools.length === 1 ? 1 : 0.25);
  });
});

const percent = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(Math.round(100 * share))} %`;

describe('docs/estimates.md', () => {
  const page = readFileSync(PAGE, 'utf8');

  it('states the past and present errors of text estimates', () => {
    const rows = CATEGORIES.map((category) => {
      const [before, after] = [spreadOf(category, OUTPUT_SCALE), spreadOf(category, PROMPT_SCALE)];
      const cells = [before.besideMost, before.besideLeast, after.besideMost, after.besideLeast, after.lowest, after.highest].map(percent);
      return `| ${category} | ${cells.join(' | ')} |`;
    });
    expect(page).toContain(rows.join('\n'));
  });

  it('states the past and present errors of tool estimates', () => {
    const rows = tools.map((prompt, position) => {
      const [qwen, llama] = countsAt(texts.length + position) as readonly [number, number];
      const counted = prompt.template === 'indented' ? llama : qwen;
      return `| ${prompt.template} | ${prompt.tools.length} | ${counted} | ${percent(estimateOfBareTools(prompt.tools) / counted - 1)} | ${percent(estimateOfTools(prompt.tools) / counted - 1)} |`;
    });
    expect(page).toContain(rows.join('\n'));
  });
});
