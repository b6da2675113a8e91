import { expect, it } from '@jest/globals';
import { type Advance, progressText } from './run-bench.js';

const EXPECTED = [100, 60, 40];

it.each<[string, Omit<Advance, 'expected'>, string]>([
  ['at the beginning', { part: 0, spentSeconds: 0 }, '0 %, about 3:20 left'],
  ['within a part', { part: 0, spentSeconds: 50 }, '25 %, about 2:30 left'],
  ['where a part takes longer than expected', { part: 0, spentSeconds: 170 }, '50 %, about 1:40 left'],
  ['where a part took less than expected', { part: 1, spentSeconds: 0 }, '50 %, about 1:40 left'],
  ['in the last seconds', { part: 2, spentSeconds: 31.2 }, '95 %, about 0:09 left'],
  ['when nothing is left', { part: 2, spentSeconds: 40 }, '100 %, about 0:00 left'],
])('%s, a run says how far it is and how long the rest takes', (_case, advance, text) => {
  expect(progressText({ expected: EXPECTED, ...advance })).toBe(text);
});
