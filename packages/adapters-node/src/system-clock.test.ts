import { expect, it } from '@jest/globals';
import { clockContract } from '@tollgate/testkit';
import { SystemClock } from './system-clock.js';

clockContract('the machine\'s', () => ({
  clock: new SystemClock(),
  // Of two timers of equal length, the one started later ends later.
  pass: (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); }),
}));

it('the clock returns the system time in whole milliseconds', () => {
  const before = Date.now();
  const now = new SystemClock().now();
  expect(Number.isInteger(now)).toBe(true);
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});
