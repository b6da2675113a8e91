import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { TransientMap } from './transient-map.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;

function scavenge(): void {
  collect({ type: 'minor' });
}

const KILOBYTE = 1024;

describe('a transient map', () => {
  it('holds a value until it is deleted', () => {
    const map = new TransientMap<string, { readonly of: string }>();
    map.set('a', { of: 'a' });
    map.set('b', { of: 'b' });
    expect([map.size, map.get('a'), map.get('c')]).toEqual([2, { of: 'a' }, undefined]);
    map.delete('a');
    map.delete('c');
    expect([map.size, map.get('a'), [...map.values()]]).toEqual([1, undefined, [{ of: 'b' }]]);
  });

  it('holds only the last value of a key', () => {
    const map = new TransientMap<string, { readonly of: string }>();
    map.set('a', { of: 'first' });
    map.set('a', { of: 'second' });
    expect([map.size, [...map.values()]]).toEqual([1, [{ of: 'second' }]]);
  });

  it('supports deletion during iteration', () => {
    const map = new TransientMap<number, object>();
    for (let key = 0; key < 6; key += 1) map.set(key, { key });
    const seen: object[] = [];
    for (const value of map.values()) {
      map.delete(2 * seen.length + 1);
      seen.push(value);
    }
    expect(seen).toEqual([{ key: 0 }, { key: 2 }, { key: 4 }]);
  });

  it('lets the next scavenge free the memory of deleted values', () => {
    const map = new TransientMap<number, readonly number[]>();
    map.set(0, []);
    // The second scavenge promotes the table to the old generation, as in an idle gateway.
    scavenge();
    scavenge();
    const heapSizes: number[] = [];
    for (let key = 1; key <= 16 * 1024; key += 1) {
      map.set(key, Array<number>(KILOBYTE / 8).fill(key));
      map.delete(key - 32);
      if (key % 256 !== 0) continue;
      scavenge();
      heapSizes.push(getHeapStatistics().used_heap_size);
    }
    expect((Math.max(...heapSizes) - Math.min(...heapSizes)) / KILOBYTE).toBeLessThan(4 * 1024);
  });
});
