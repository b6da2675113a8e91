import { expect, it } from '@jest/globals';
import { FirstTokenTimes } from './first-token-times.js';

it('the median and the 95th percentile of times to the first token are never too low, and at most a tenth too high', () => {
  const times = new FirstTokenTimes();
  expect(times.quantiles()).toBeNull();
  for (let milliseconds = 1; milliseconds <= 1000; milliseconds += 1) times.add(milliseconds);
  const { p50, p95 } = times.quantiles() ?? { p50: 0, p95: 0 };
  expect(p50).toBeGreaterThanOrEqual(500);
  expect(p50).toBeLessThanOrEqual(550);
  expect(p95).toBeGreaterThanOrEqual(950);
  expect(p95).toBeLessThanOrEqual(1045);
});
