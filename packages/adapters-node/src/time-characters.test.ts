import { describe, expect, it } from '@jest/globals';
import { TIME_CHARACTERS, TimeCharacters } from './time-characters.js';

describe('the encoded time at the start of an id', () => {
  const at = (milliseconds: number): string => new TimeCharacters(() => milliseconds).take();

  it('sorts as the times do, now and in a thousand years', () => {
    const instants = [0, 1, 61, 62, 63, 3_843, 3_844, Date.UTC(2024, 0), Date.UTC(2024, 0) + 1, Date.UTC(2030, 11), Date.UTC(3030, 5)];
    const characters = instants.map(at);
    expect(characters.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(characters);
    expect(new Set(characters).size).toBe(instants.length);
  });

  it('has a constant length', () => {
    expect([0, Date.UTC(2024, 0), Date.UTC(7000, 0)].map((instant) => at(instant).length)).toEqual([TIME_CHARACTERS, TIME_CHARACTERS, TIME_CHARACTERS]);
  });

  it('follows the clock, even when that is set back', () => {
    let now = 1_000;
    const time = new TimeCharacters(() => now);
    const before = time.take();
    expect(time.take()).toBe(before);
    now = 999;
    expect(time.take() < before).toBe(true);
  });
});
