import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable, storeRefusal, tryInTurn } from '../index.js';

/** Runs the task for four items, of which the second and third fail. Returns the items that were tried, and the failure. */
async function tried(failure: unknown): Promise<readonly unknown[]> {
  const items: number[] = [];
  const thrown: unknown = await tryInTurn([1, 2, 3, 4], (item) => {
    items.push(item);
    return item === 2 ? Promise.reject(failure) : item === 3 ? Promise.reject(new Error('another')) : Promise.resolve();
  }).catch((reason: unknown) => reason);
  return [items, thrown];
}

describe('tryInTurn', () => {
  it('tries all items, and throws the first failure', async () => {
    const failure = new RangeError('one row is unreadable');
    expect(await tried(failure)).toEqual([[1, 2, 3, 4], failure]);
  });

  it.each([new StoreUnavailable(new Error('away')), storeRefusal(new Error('away'))])('stops if the store is unavailable: %s', async (failure) => {
    expect(await tried(failure)).toEqual([[1, 2], failure]);
  });
});
