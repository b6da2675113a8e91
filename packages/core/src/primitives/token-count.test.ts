import { describe, expect, it } from '@jest/globals';
import { type TokenCount, tokenCount } from './token-count.js';

describe('a count of tokens', () => {
  it.each([[-1], [0.5], [Number.NaN], [Infinity], [2 ** 53]])('cannot be %d', (value) => {
    expect(() => tokenCount(value)).toThrow(RangeError);
  });

  it('can be zero or a positive whole number', () => {
    expect([tokenCount(0), tokenCount(128_000)]).toEqual([0 as TokenCount, 128_000 as TokenCount]);
  });
});
