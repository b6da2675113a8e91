import { expect, it } from '@jest/globals';
import { later } from '@tollgate/core';
import { STORE_NOON } from '@tollgate/testkit';
import { MAX_SETTLEMENT_MILLISECONDS, MAX_OPEN_NUMBERS, nextWatermark, type Watermark } from './plan-totals.js';

const HELD: Watermark = { counted_through: 10n, newest_seq: 20n, newest_at: BigInt(STORE_NOON) };

it('the newest record becomes the watermark only when no earlier settlement can still be open', () => {
  expect(nextWatermark(HELD, 30n, later(STORE_NOON, MAX_SETTLEMENT_MILLISECONDS - 1))).toEqual(HELD);
  const at = later(STORE_NOON, MAX_SETTLEMENT_MILLISECONDS);
  expect(nextWatermark(HELD, 30n, at)).toEqual({ counted_through: 20n, newest_seq: 30n, newest_at: BigInt(at) });
});

it('the first watermark is so low that no settlement below it can still be open', () => {
  expect(nextWatermark({ counted_through: null, newest_seq: 0n, newest_at: 0n }, 30n, STORE_NOON)).toEqual({
    counted_through: 0n, newest_seq: 30n, newest_at: BigInt(STORE_NOON),
  });
  expect(nextWatermark({ counted_through: null, newest_seq: 0n, newest_at: 0n }, 7n + MAX_OPEN_NUMBERS, STORE_NOON).counted_through).toBe(7n);
});
