import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from './seeded-random.js';

describe('SeededRandom', () => {
  it('returns the same numbers for the same seed in every version', () => {
    const random = new SeededRandom(7);
    const [again, other] = [new SeededRandom(7), new SeededRandom(8)];
    const given = [random.fraction(), random.between(1, 1000), random.happens(0.5), random.pick('abcdefgh')];
    expect(given).toEqual([0.011704753153026104, 62, false, 'f']);
    expect([again.fraction(), again.between(1, 1000), again.happens(0.5), again.pick('abcdefgh')]).toEqual(given);
    expect(other.fraction()).not.toBe(given[0]);
  });

  it('draws every number of a range equally often, both ends included', () => {
    const random = new SeededRandom(1);
    const counts = new Map<number, number>();
    for (let draw = 0; draw < 30_000; draw += 1) {
      const drawn = random.between(-1, 1);
      counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted((first, second) => first - second)).toEqual([-1, 0, 1]);
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('refuses to pick from an empty list', () => {
    expect(() => new SeededRandom(1).pick([])).toThrow('there is nothing to pick from');
  });
});
