import { describe, expect, it } from '@jest/globals';
import type { GenerationRequest } from '@tollgate/core';
import { jsonDocument } from '@tollgate/json-text';
import { aGenerationRequest } from '@tollgate/testkit';
import * as fc from 'fast-check';
import { says, turns } from '../test-support/calls.js';
import { COUNTED_TEXTS } from './test-support/counted-texts.js';
import { KIND_COUNT, KIND_OF_CODE } from './character-kinds.js';
import { LinearTokenEstimator } from './token-estimator.js';
import { PROMPT_WEIGHTS, ROW_SHIFT, WEIGHTS } from './token-weights.js';

const estimator = new LinearTokenEstimator();

function count(...pieces: readonly string[]): number {
  const counter = estimator.startCounter();
  for (const piece of pieces) counter.add(piece);
  return counter.tokens;
}

/** Texts with characters of all kinds. */
const anyText = fc.array(fc.constantFrom(
  'a', 'Z', 'é', '5', ' ', '\n', '\t', '.', '{', '-', '--', '漢', 'か', '한', 'ж', 'ب', '，', '→', '😀', 'word', 'URL', '  ', '123', '\r\n', '----',
)).map((parts) => parts.join(''));

describe('the token counter', () => {
  it.each(COUNTED_TEXTS)('counts $name to within a tenth of a real tokenizer’s count', ({ text, tokens }) => {
    expect(Math.abs(count(text) - tokens) / tokens).toBeLessThanOrEqual(0.1);
  });

  it('has a median error of at most 5 per cent over all texts', () => {
    const errors = COUNTED_TEXTS.map(({ text, tokens }) => Math.abs(count(text) - tokens) / tokens).toSorted((a, b) => a - b);
    expect(errors[Math.floor(errors.length / 2)]).toBeLessThanOrEqual(0.05);
  });

  it('yields the same total however a text is split', () => {
    fc.assert(fc.property(anyText, fc.array(fc.nat()), (text, cuts) => {
      const offsets = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted((a, b) => a - b);
      const pieces = offsets.slice(1).map((end, position) => text.slice(offsets[position], end));
      expect(count(...pieces)).toBe(count(text));
    }), { numRuns: 1_000 });
  });

  it.each([
    ['ASCII', 'function f(x) {\n\treturn "a" + 1.5;\u0000~\u007f\n}'], ['accents', 'déjà vu, naïve'], ['Chinese', '网关 reserves，然后 settles。'], ['emoji', 'a😀'],
    ['ASCII with an end beyond ASCII', `${'plain words '.repeat(2_000)}é`], ['ASCII at first and other characters later', `${'x = [1];\n'.repeat(3_000)}${'漢字😀'.repeat(3_000)}`],
  ])('counts a long text of %s as if its characters had been added one by one', (_name, pattern) => {
    for (const length of [47, 48, 49, 50, 51, 16_383, 16_384, 16_385, 40_001]) {
      const text = pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
      expect(count('[', text, '. More')).toBe(count('[', ...Array.from({ length }, (_none, position) => text.charAt(position)), '. More'));
    }
  });

  it('can clip its last text to a number of tokens, and then continues as if only the kept beginning had been added', () => {
    fc.assert(fc.property(anyText, anyText, anyText, fc.nat(80), (before, text, after, tokens) => {
      const counter = estimator.startCounter();
      counter.add(before);
      counter.add(text);
      const length = counter.clipLast(text, tokens);
      const kept = text.slice(0, length);
      expect(counter.tokens).toBe(count(before, kept));
      expect(length === 0 || counter.tokens <= tokens).toBe(true);
      const next = text.slice(length, length + ((text.codePointAt(length) ?? 0) > 0xffff ? 2 : 1));
      expect(next === '' || count(before, kept, next) > tokens).toBe(true);
      counter.add(after);
      expect(counter.tokens).toBe(count(before, kept, after));
    }), { numRuns: 1_000 });
  });

  it('never decreases when characters are added', () => {
    fc.assert(fc.property(anyText, (text) => {
      const counter = estimator.startCounter();
      let before: number = counter.tokens;
      for (const character of text) {
        counter.add(character);
        expect(counter.tokens).toBeGreaterThanOrEqual(before);
        before = counter.tokens;
      }
    }), { numRuns: 1_000 });
  });

  it.each([['outputs', WEIGHTS], ['prompts', PROMPT_WEIGHTS]])('gives every pair of character kinds a weight in %s, so that no long text counts as zero', (_which, weights) => {
    const kinds = Array.from({ length: KIND_COUNT }, (_none, kind) => kind);
    const weightless = kinds.flatMap((before) => kinds.filter((kind) => !((weights[(before << ROW_SHIFT) | kind] ?? 0) > 0)));
    expect(weightless).toEqual([]);
  });

  it('assigns each character one kind', () => {
    const kindOf = (character: string): number | undefined => KIND_OF_CODE[character.charCodeAt(0)];
    const oneKindEach = ['a', 'z', 'A', '5', ' ', '\n', '.', '(', 'é', 'ž', 'ж', 'Ж', '漢', '龘', 'か', '한', '，', '—', '─', '→', '😀'];
    expect(new Set(oneKindEach.map(kindOf)).size).toBe(oneKindEach.length);
    expect([kindOf('['), kindOf('E'), kindOf('9'), kindOf('字')]).toEqual([kindOf('('), kindOf('A'), kindOf('5'), kindOf('漢')]);
  });

  it('counts an empty text as zero tokens, and any other text as at least one', () => {
    expect([count(), count('', ''), count('a'), count('.'), count('漢')]).toEqual([0, 0, 1, 1, 1]);
  });

  it('counts fewer tokens for a repeated mark than for alternating marks, at any position', () => {
    const ruler = '='.repeat(60);
    // Each count is rounded up by itself.
    expect(Math.abs(count(`({ ${ruler}`) - count('({ ') - count(` ${ruler}`))).toBeLessThanOrEqual(1);
    expect(count(ruler)).toBeLessThan(count('=-'.repeat(30)) / 2);
  });

  it.each([
    ['one letter', 'a'.repeat(100_000)], ['line ends', '\n'.repeat(100_000)], ['spaces', ' '.repeat(100_000)], ['one mark', '='.repeat(100_000)], ['brackets in turn', '[{'.repeat(50_000)],
    ['letters and digits in turn', 'a1'.repeat(50_000)], ['capitals and small letters in turn', 'aB'.repeat(50_000)], ['emoji', '😀'.repeat(50_000)],
  ])('reads 100 KB of %s in under 100 ms', (_name, text) => {
    count(text);
    const startedAt = process.cpuUsage();
    expect(count(text)).toBeGreaterThan(1_000);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(100_000);
  });
});

describe('LinearTokenEstimator', () => {
  const tokens = (differences: Partial<GenerationRequest>): number => estimator.estimatePrompt(aGenerationRequest(differences));
  const text = 'word '.repeat(100);
  const empty = tokens(turns());

  it('counts at least one token for a request without texts', () => {
    expect(empty).toBeGreaterThanOrEqual(1);
  });

  it.each<[string, Partial<GenerationRequest>, number]>([
    ['instructions', { conversation: { system: [{ type: 'text', text }], turns: [] } }, 98],
    ['what the user says', turns(says(text)), 98],
    ['what the model said and thought', turns({ role: 'assistant', content: [{ type: 'thinking', text, signature: null }, { type: 'text', text }] }), 196],
    ['instructions in the middle', turns({ role: 'system', content: [{ type: 'text', text }] }), 98],
    ['the arguments of calls', turns({ role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'f', argumentsJson: text }] }), 98],
    ['the results of calls', turns({ role: 'user', content: [{ type: 'tool-result', toolCallId: 'c1', content: [{ type: 'text', text }], isError: false }] }), 98],
    ['tools with their descriptions and schemas, and what templates write around them', { ...turns(), tools: [{ name: 'f', description: text, inputSchema: jsonDocument({ description: text }) }] }, 94 + 98 + 1.4 * 98],
    ['each digit of a prompt nearly as a token', turns(says('0123456789'.repeat(12))), 93],
    ['images, each the same', turns({ role: 'user', content: [{ type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } }] }), 1_000],
  ])('counts %s, plus fewer than 30 tokens that templates write around the texts', (_name, ...[differences, least]) => {
    expect(tokens(differences) - empty).toBeGreaterThanOrEqual(least);
    expect(tokens(differences) - empty).toBeLessThan(least + 30);
  });

  it.each([['digits', '0123456789'], ['letters and digits in turn', 'a1'], ['quotes', '\\"'], ['spaces', '    '], ['emoji', '😀1']])('reads a prompt and a schema of 500 KB of %s in under 100 ms', (_name, pattern) => {
    const words = pattern.repeat(500_000 / pattern.length);
    const hostile = { ...turns(says(words)), tools: [{ name: 'f', description: null, inputSchema: jsonDocument({ description: words }) }] };
    const startedAt = process.cpuUsage();
    expect(tokens(hostile)).toBeGreaterThan(1_000);
    expect(process.cpuUsage(startedAt).user).toBeLessThan(100_000);
  });
});
