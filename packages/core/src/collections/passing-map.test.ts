import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { PassingMap } from './passing-map.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

/** Collects what is young, as happens by itself every so many requests. */
function collectYoung(): void {
  collect({ type: 'minor' });
}

const KILOBYTE = 1024;

describe('a map of what comes and goes', () => {
  it('holds what was set until it is deleted', () => {
    const map = new PassingMap<string, { readonly of: string }>();
    map.set('a', { of: 'a' });
    map.set('b', { of: 'b' });
    expect([map.size, map.get('a'), map.get('c')]).toEqual([2, { of: 'a' }, null]);
    map.delete('a');
    map.delete('c');
    expect([map.size, map.get('a'), [...map.values()]]).toEqual([1, null, [{ of: 'b' }]]);
  });

  it('holds the last value of a key, once', () => {
    const map = new PassingMap<string, { readonly of: string }>();
    map.set('a', { of: 'first' });
    map.set('a', { of: 'second' });
    expect([map.size, [...map.values()]]).toEqual([1, [{ of: 'second' }]]);
  });

  it('may lose values while they are gone through', () => {
    const map = new PassingMap<number, object>();
    for (let key = 0; key < 6; key += 1) map.set(key, { key });
    const seen: object[] = [];
    for (const value of map.values()) {
      map.delete(2 * seen.length + 1);
      seen.push(value);
    }
    expect(seen).toEqual([{ key: 0 }, { key: 2 }, { key: 4 }]);
  });

  it('lets go of what was deleted as soon as what is young is collected', () => {
    const map = new PassingMap<number, readonly number[]>();
    map.set(0, []);
    // What outlives two collections has grown old, as the table of a gateway does that is idle for a while.
    collectYoung();
    collectYoung();
    const heapSizes: number[] = [];
    for (let key = 1; key <= 16 * 1024; key += 1) {
      map.set(key, Array<number>(KILOBYTE / 8).fill(key));
      map.delete(key - 32);
      if (key % 256 !== 0) continue;
      collectYoung();
      heapSizes.push(getHeapStatistics().used_heap_size);
    }
    expect((Math.max(...heapSizes) - Math.min(...heapSizes)) / KILOBYTE).toBeLessThan(4 * 1024);
  });
});
