import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { quote, quoteName } from './quote.js';

describe('a quoted text', () => {
  it('is what the engine prints, whichever character is in it', () => {
    const characters = Array.from({ length: 0x10000 }, (_none, code) => String.fromCharCode(code));
    const texts = characters.flatMap((character) => [character, `a${character}b`]);
    expect(texts.filter((text) => quote(text) !== JSON.stringify(text))).toEqual([]);
  });

  it('is what the engine prints, however long it is', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme-ascii', maxLength: 60 })), (text) => {
      expect(quote(text)).toBe(JSON.stringify(text));
    }), { seed: 37, numRuns: 1_000 });
  });
});

it('a quoted name is the same each time, however many names there are', () => {
  const names = Array.from({ length: 200 }, (_none, index) => `name "${index}"`);
  for (let times = 0; times < 2; times += 1) expect(names.map(quoteName)).toEqual(names.map((name) => JSON.stringify(name)));
});
