import { describe, expect, it } from '@jest/globals';
import type { SharedCounter } from '@tollgate/core';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** What counters guarantee, of one process or of several. */
export function sharedCounterContract(name: string, make: () => Promise<SharedCounter> | SharedCounter): void {
  describe(`SharedCounter contract: ${name}`, () => {
    it('adds up under each name, in the window that the first count began', async () => {
      const counter = await make();
      const first = await counter.add('alice', 2, HOUR);
      expect(first.total).toBe(2);
      expect(first.endsInMilliseconds).toBeGreaterThan(HOUR - MINUTE);
      expect(first.endsInMilliseconds).toBeLessThanOrEqual(HOUR);
      const second = await counter.add('alice', 3, HOUR);
      expect(second.total).toBe(5);
      expect(second.endsInMilliseconds).toBeLessThanOrEqual(first.endsInMilliseconds);
      expect((await counter.add('bob', 1, MINUTE)).total).toBe(1);
    });

    it('takes back, and tells without counting', async () => {
      const counter = await make();
      await counter.add('alice', 3, HOUR);
      expect((await counter.add('alice', -1, HOUR)).total).toBe(2);
      expect((await counter.add('alice', 0, HOUR)).total).toBe(2);
    });

    it('takes back no more than was counted, and begins no window with it', async () => {
      const counter = await make();
      expect(await counter.add('alice', -2, HOUR)).toEqual({ total: 0, endsInMilliseconds: 0 });
      const { endsInMilliseconds } = await counter.add('alice', 3, MINUTE);
      expect(endsInMilliseconds).toBeLessThanOrEqual(MINUTE);
      expect((await counter.add('alice', -5, HOUR)).total).toBe(0);
      const last = await counter.add('alice', 1, HOUR);
      expect(last.total).toBe(1);
      expect(last.endsInMilliseconds).toBeLessThanOrEqual(MINUTE);
    });

    it('loses nothing that is counted at the same time', async () => {
      const counter = await make();
      const counts = await Promise.all(Array.from({ length: 50 }, () => counter.add('alice', 1, HOUR)));
      expect(counts.map(({ total }) => total).toSorted((first, second) => first - second)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    });
  });
}
