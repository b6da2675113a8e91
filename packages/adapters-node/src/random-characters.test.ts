import { describe, expect, it } from '@jest/globals';
import { API_KEY_ALPHABET } from '@tollgate/core';
import { RandomCharacters } from './random-characters.js';

/** A uniform source: fills arrays with 0, 1, 2 … 255, 0, 1 …. */
function countingBytes(): (bytes: Uint8Array) => void {
  let next = 0;
  return (bytes) => {
    for (const position of bytes.keys()) bytes[position] = next++ & 0xff;
  };
}

describe('RandomCharacters', () => {
  it('draws every character equally often from uniformly distributed bytes', () => {
    const characters = new RandomCharacters(countingBytes()).take(62 * 4 * 50);
    const counts = new Map<string, number>();
    for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect([...counts.keys()].toSorted()).toEqual(Array.from(API_KEY_ALPHABET).toSorted());
    expect(new Set(counts.values())).toEqual(new Set([200]));
  });

  it('uses each random byte once', () => {
    const random = new RandomCharacters(countingBytes());
    const once = random.take(62 * 4);
    const inPieces = new RandomCharacters(countingBytes());
    expect(Array.from({ length: 62 }, () => inPieces.take(4)).join('')).toBe(once);
  });

  it('returns exactly the requested number of characters', () => {
    for (const count of [0, 1, 24, 48, 5_000]) expect(new RandomCharacters().take(count)).toHaveLength(count);
  });

  it('draws all characters about equally often from the random bytes of the system', () => {
    const characters = new RandomCharacters().take(62_000);
    const counts = new Map<string, number>();
    for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1);
    const chiSquare = Array.from(API_KEY_ALPHABET).reduce((sum, character) => sum + ((counts.get(character) ?? 0) - 1_000) ** 2 / 1_000, 0);
    // 61 degrees of freedom: an unbiased source exceeds 160 once in 10^10 runs; a plain modulo gives about 400.
    expect(chiSquare).toBeLessThan(160);
  });
});
