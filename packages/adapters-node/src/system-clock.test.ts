import { expect, it } from '@jest/globals';
import { SystemClock } from './system-clock.js';

it('tells the machine\'s time in whole milliseconds', () => {
  const before = Date.now();
  const now = new SystemClock().now();
  expect(Number.isInteger(now)).toBe(true);
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

it('runs a task once, and not at all when it was cancelled', async () => {
  const clock = new SystemClock();
  const runs: string[] = [];
  const cancel = clock.schedule(1, () => runs.push('cancelled'));
  cancel();
  await new Promise<void>((resolve) => {
    // An unreferenced timer alone would let the test process end.
    const keepAlive = setTimeout(() => undefined, 10_000);
    clock.schedule(1, () => {
      runs.push('kept');
      clearTimeout(keepAlive);
      resolve();
    });
  });
  expect(runs).toEqual(['kept']);
});

it('does not keep a process alive', () => {
  const timersThatDo = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timersThatDo();
  const cancel = new SystemClock().schedule(60_000, () => undefined);
  expect(timersThatDo()).toBe(before);
  cancel();
});
