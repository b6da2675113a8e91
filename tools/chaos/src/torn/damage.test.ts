import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '@tollgate/testkit/programs';
import { damaged, DAMAGES } from './damage.js';

const SOUND = Buffer.from(Array.from({ length: 20_000 }, (_none, position) => 1 + (position * 7 + (position >> 8)) % 255));

describe.each(DAMAGES)('a log damaged by %s', (damage) => {
  it('differs from the sound one, is no longer, and leaves the sound one as it is', () => {
    const before = Buffer.from(SOUND);
    for (let seed = 0; seed < 50; seed += 1) {
      const log = damaged(SOUND, damage, new SeededRandom(seed));
      expect(log.length).toBeLessThanOrEqual(SOUND.length);
      expect(log.equals(SOUND)).toBe(false);
    }
    expect(SOUND.equals(before)).toBe(true);
  });

  it('is the same for the same seed', () => {
    expect(damaged(SOUND, damage, new SeededRandom(3)).equals(damaged(SOUND, damage, new SeededRandom(3)))).toBe(true);
  });
});
