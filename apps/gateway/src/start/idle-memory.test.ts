import { getHeapSpaceStatistics } from 'node:v8';
import { beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { collectGarbage, collectWhenIdle, CHECK_MILLISECONDS, SPARE_BYTES, WORTHWHILE_BYTES } from './idle-memory.js';

const AT_REST = 150_000_000;
const PEAK = AT_REST + SPARE_BYTES + 1;

let clock: ManualClock;
let running: number;
let started: number;
let bytes: number;
/** Bytes that remain after each collection, in order. */
let leaves: number[];
let collections: number;

beforeEach(() => {
  clock = new ManualClock();
  [running, started, bytes, collections, leaves] = [0, 0, AT_REST, 0, [AT_REST]];
  collectWhenIdle({
    clock,
    runningRequests: () => running,
    startedRequests: () => started,
    residentBytes: () => bytes,
    restingBytes: AT_REST,
    collectGarbage: () => {
      collections += 1;
      bytes = leaves.shift() ?? bytes;
    },
  });
});

function look(): void {
  clock.advance(CHECK_MILLISECONDS);
}

test('after a peak, one garbage collection runs, at the second idle check', () => {
  bytes = PEAK;
  started = 1_000;
  look();
  expect(collections).toBe(0);
  look();
  expect(collections).toBe(1);
  look();
  expect(collections).toBe(1);
});

test('garbage collections repeat while they free enough, and start again after the next peak', () => {
  bytes = PEAK + 2 * WORTHWHILE_BYTES;
  leaves = [PEAK + WORTHWHILE_BYTES, PEAK + 1];
  for (let looks = 0; looks < 4; looks += 1) look();
  expect(collections).toBe(2);
  bytes += SPARE_BYTES;
  look();
  expect(collections).toBe(2);
  bytes += 1;
  look();
  expect(collections).toBe(3);
});

test('no garbage collection runs in a busy process, or in one with little to free', () => {
  bytes = AT_REST + SPARE_BYTES;
  look();
  bytes += 1;
  running = 1;
  look();
  running = 0;
  started = 1;
  look();
  expect(collections).toBe(0);
});

const VALUES = 400_000;

/** Size of the young generation. */
function roomForNewValues(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

test('a garbage collection shrinks the young generation', () => {
  const values = Array.from({ length: VALUES }, (_, number) => ({ number, text: `value ${number}` }));
  const taken = roomForNewValues();
  expect(values).toHaveLength(VALUES);
  collectGarbage();
  expect(roomForNewValues()).toBeLessThan(taken / 2);
});
