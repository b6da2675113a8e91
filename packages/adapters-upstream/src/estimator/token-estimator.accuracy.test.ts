import { describe, expect, it } from '@jest/globals';
import { getEncoding } from 'js-tiktoken';
import { mixedPrompts, type Prompt, purePrompts, SeededChoice } from '../test-support/corpus.js';
import { TextTokenCounter } from './token-estimator.js';

const SEED = 20_251;
const MIXED_OF_EACH = 60;

const vocabulary = getEncoding('o200k_base');

/** The relative error: -0.1 for a tenth too low. */
function errorOf({ text }: Prompt): number {
  const counter = new TextTokenCounter();
  counter.add(text);
  return counter.tokens / vocabulary.encode(text, [], []).length - 1;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function figuresByKind(errors: readonly { readonly kind: string; readonly error: number }[]): string {
  return [...new Set(errors.map(({ kind }) => kind))].map((kind) => {
    const shares = errors.filter((one) => one.kind === kind).map(({ error }) => error);
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    return `${kind}: ${shares.length} prompts, median ${percent(median(shares))}, lowest ${percent(Math.min(...shares))}`;
  }).join('\n');
}

const random = new SeededChoice(SEED);
const prompts = { 'of one kind': purePrompts(random), 'as people and agents send them': mixedPrompts(random, MIXED_OF_EACH) };

describe.each(Object.entries(prompts))('estimates of prompts %s', (_sort, chosen) => {
  const errors = chosen.map((prompt) => ({ kind: prompt.kind, error: errorOf(prompt) }));

  it('have a median error of at most 8 per cent, and fewer than 1 in 100 are too low by more than a tenth', () => {
    const off = median(errors.map(({ error }) => Math.abs(error)));
    const tooLow = errors.filter(({ error }) => error < -0.1);
    // On failure, the message has the figures of each kind of text.
    const good = off <= 0.08 && tooLow.length < errors.length / 100;
    expect(good ? '' : figuresByKind(errors)).toBe('');
  });

  it('are never too low by more than a quarter, nor too high by more than a third', () => {
    expect(errors.filter(({ error }) => error < -0.25 || error > 1 / 3)).toEqual([]);
  });
});
