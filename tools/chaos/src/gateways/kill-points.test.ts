import { describe, expect, it } from '@jest/globals';
import { KILL_POINTS, placeKillPoint, type StreamMoment, watchMethod, watchStream } from './kill-points.js';

describe('watching a method', () => {
  class Till {
    paid = 0;
    pay(amount: number): Promise<number> {
      this.paid += amount;
      return Promise.resolve(this.paid);
    }
  }

  it('observes the method before and after a call, without changing its result', async () => {
    const seen: unknown[] = [];
    const till = new Till();
    watchMethod(Till, 'pay', { before: (amount) => seen.push(['before', amount, till.paid]), after: (answer) => (seen.push(['after', answer]), answer) });
    expect(await till.pay(3)).toBe(3);
    expect(seen).toEqual([['before', 3, 0], ['after', 3]]);
  });

  it('observes the method, if requested, as soon as it returns its promise', async () => {
    const till = new Till();
    const seen: unknown[] = [];
    watchMethod(Till, 'pay', { after: (answer) => (seen.push(answer instanceof Promise), answer), when: 'called' });
    const paid = till.pay(3);
    expect(seen).toEqual([true]);
    await paid;
  });

  it('fails if the method does not exist', () => {
    expect(() => watchMethod(Till, 'give', {})).toThrow('the method give for a kill point does not exist');
  });
});

describe('a kill point', () => {
  it.each(KILL_POINTS)('%s can be placed in the current gateway', (point) => {
    expect(() => placeKillPoint(point, () => undefined)).not.toThrow();
  });
});

describe('watching a stream', () => {
  const batches = [1, 2, 3, 4, 5, 6].map((number) => [{ type: number === 6 ? 'provider-end' : 'block-delta', number }]);

  it.each([['first', 1], ['middle', 4], ['last', 6]] as const)('reports the %s batch when it is yielded', async (moment: StreamMoment, position) => {
    let passedAt = 0;
    let handedOut = 0;
    const source = { next: () => Promise.resolve({ done: false, value: batches[handedOut] }), return: () => Promise.resolve({ done: true, value: undefined }) };
    const stream = watchStream(source, moment, () => void (passedAt = handedOut + 1));
    for (; handedOut < batches.length; handedOut += 1) expect(await stream.next()).toEqual({ done: false, value: batches[handedOut] });
    expect(passedAt).toBe(position);
  });
});
