import { describe, expect, it } from '@jest/globals';
import { OUTPUT_COUNTS, perCount, perRate, PROMPT_COUNTS, TOKEN_CLASSES, TOKEN_COUNTS, TOKEN_RATES } from './token-classes.js';

const namesOf = (entries: readonly { readonly name: string; readonly field: string }[]) => entries.flatMap(({ name, field }) => [name, field]);

describe('the token classes', () => {
  it.each([
    ['names', TOKEN_CLASSES.map(({ name }) => name)], ['counts', namesOf(TOKEN_COUNTS)], ['rates', namesOf(TOKEN_RATES)],
  ])('have unique %s', (_what, names) => {
    expect(new Set(names).size).toBe(names.length);
  });

  it('count every token as part of the prompt or of the output', () => {
    expect([...PROMPT_COUNTS, ...OUTPUT_COUNTS]).toEqual(TOKEN_COUNTS);
  });

  it('give each count and each rate a value under the name of its field', () => {
    expect(perCount(({ name }) => name)).toMatchObject({ uncachedPromptTokens: 'uncached_prompt', visibleOutputTokens: 'visible_output' });
    expect(perRate(({ name }) => name)).toMatchObject({ promptToken: 'prompt', outputToken: 'output' });
  });
});
