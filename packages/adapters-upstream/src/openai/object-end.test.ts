import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ObjectEnd } from './object-end.js';

function isFoundIn(...pieces: readonly string[]): boolean {
  const end = new ObjectEnd();
  for (const piece of pieces) end.add(piece);
  return end.isFound;
}

describe('the end of an object', () => {
  it.each(['', '{', '{"a":{}', '{"a":"}', '{"a":"\\"}', '{"a":"\\\\\\"}', '"{}"', '[', '1'])('is not found in %s', (text) => {
    expect(isFoundIn(text)).toBe(false);
  });

  it('is found at the last brace, however the text is split', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
      const text = JSON.stringify(value);
      const split = at % text.length;
      expect(isFoundIn(text.slice(0, split), text.slice(split, -1))).toBe(false);
      expect(isFoundIn(text.slice(0, split), text.slice(split))).toBe(true);
    }));
  });
});
