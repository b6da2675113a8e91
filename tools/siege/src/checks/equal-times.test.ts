import { expect, it } from '@jest/globals';
import { rankTest } from './equal-times.js';

const range = (length: number, value: (position: number) => number): readonly number[] => Array.from({ length }, (_, position) => value(position));

it.each([
  ['equal samples', range(30, (at) => at), range(30, (at) => at), 1],
  // scipy.stats.mannwhitneyu(range(20), range(5, 25), method='asymptotic'): 0.0185
  ['samples of which one is shifted by a quarter', range(20, (at) => at), range(20, (at) => at + 5), 0.0185],
  // scipy.stats.mannwhitneyu([1] * 15 + [2] * 5, [1] * 5 + [2] * 15, method='asymptotic'): 0.0019
  ['samples with many equal values', range(20, (at) => (at < 15 ? 1 : 2)), range(20, (at) => (at < 5 ? 1 : 2)), 0.0019],
  ['samples of a single value', range(20, () => 7), range(20, () => 7), 1],
])('the p value is that of the Mann–Whitney test for %s', (_what, first, second, expected) => {
  expect(rankTest(first, second)).toBeCloseTo(expected, 3);
});
