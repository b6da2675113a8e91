import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { clipBlocks, textLength, wholeCharacters } from './clip-blocks.js';
import type { BlockEvent } from './generation-event.js';

const start = (index: number): BlockEvent => ({ type: 'block-start', index, block: { type: 'text' } });
const piece = (index: number, delta: string): BlockEvent => ({ type: 'block-delta', index, delta });
const end = (index: number): BlockEvent => ({ type: 'block-end', index, signature: null });

describe('wholeCharacters', () => {
  it.each([['abc', 2, 2], ['a😀b', 2, 1], ['a😀b', 3, 3], ['😀', 1, 0], ['abc', 0, 0], ['abc', 3, 3], ['abc', 9, 9]])('cuts %j, with at most %d code units, at code unit %d', (text, length, whole) => {
    expect(wholeCharacters(text, length)).toBe(whole);
  });
});

describe('clipBlocks', () => {
  const events = [start(0), piece(0, 'abc'), piece(0, 'd😀'), end(0), start(1), piece(1, 'ef'), end(1)];

  it.each<readonly [length: number, kept: readonly BlockEvent[]]>([
    [0, []],
    [2, [start(0), piece(0, 'ab')]],
    [3, [start(0), piece(0, 'abc')]],
    [5, [start(0), piece(0, 'abc'), piece(0, 'd')]],
    [6, [start(0), piece(0, 'abc'), piece(0, 'd😀'), end(0)]],
    [7, [start(0), piece(0, 'abc'), piece(0, 'd😀'), end(0), start(1), piece(1, 'e')]],
    [8, events],
  ])('keeps at most %d code units of text, in whole characters', (length, kept) => {
    expect(clipBlocks(events, length)).toEqual(kept);
  });

  it('keeps a prefix of any text, splits no character and leaves no empty delta', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), fc.nat(40), (texts, length) => {
      const pieces = texts.map((text) => piece(0, text));
      const kept = clipBlocks([start(0), ...pieces], length);
      const joined = kept.map((event) => (event.type === 'block-delta' ? event.delta : '')).join('');
      expect(texts.join('').startsWith(joined)).toBe(true);
      expect(() => encodeURIComponent(joined)).not.toThrow();
      expect(textLength(kept)).toBeLessThanOrEqual(length);
      expect(textLength(kept)).toBeGreaterThanOrEqual(Math.min(length, textLength(pieces)) - 1);
      expect(kept.every((event) => event.type !== 'block-delta' || event.delta !== '')).toBe(true);
    }));
  });
});
