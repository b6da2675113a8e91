import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { withProgress } from '../../scripts/bootstrap/progress.mjs';

beforeEach(() => { jest.useFakeTimers(); });
afterEach(() => { jest.useRealTimers(); });

test('a report of the work is printed every three seconds, as a whole line, until the work ends', async () => {
  const lines: string[] = [];
  let count = 0;
  let end: (value: string) => void = () => undefined;
  const work = withProgress({ say: (line: string) => lines.push(line), describe: () => `${count} of 9 packages` }, () => new Promise<string>((resolve) => { end = resolve; }));
  jest.advanceTimersByTime(3_000);
  count = 7;
  jest.advanceTimersByTime(5_900);
  expect(lines).toEqual(['  0 of 9 packages, 3 s', '  7 of 9 packages, 6 s']);
  end('installed');
  expect(await work).toBe('installed');
  jest.advanceTimersByTime(9_000);
  expect(lines).toHaveLength(2);
});

test('a failed task ends the reports', async () => {
  const lines: string[] = [];
  await expect(withProgress({ say: (line: string) => lines.push(line), describe: () => '' }, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  jest.advanceTimersByTime(9_000);
  expect(lines).toEqual([]);
});
