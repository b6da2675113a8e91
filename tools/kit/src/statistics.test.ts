import { describe, expect, it } from '@jest/globals';
import { Durations, medianOf, percentileOf, renderTable, spreadOf } from './statistics.js';

describe('the median', () => {
  it.each<[string, readonly number[], number | null]>([
    ['of nothing is nothing', [], null],
    ['of one value is that value', [4], 4],
    ['of an odd number of values is the one in the middle, by size', [10, 9, 1], 9],
    ['of an even number of values lies between the two in the middle', [4, 1, 2, 100], 3],
  ])('%s', (_case, values, median) => {
    expect(medianOf(values)).toBe(median);
  });

  it('is returned with the lowest and the highest value', () => {
    expect(spreadOf([5, -1, 3])).toEqual({ median: 3, lowest: -1, highest: 5 });
    expect(spreadOf([])).toBeNull();
  });
});

describe('a percentile', () => {
  const hundred = Array.from({ length: 100 }, (_none, position) => position + 1);

  it.each([[0.5, 50], [0.99, 99], [0.999, 100], [1, 100], [0.001, 1]])('of the numbers 1 to 100 is, for the share %d, %d', (share, value) => {
    expect(percentileOf(hundred, share)).toBe(value);
  });

  it('of no values is 0', () => {
    expect(percentileOf([], 0.5)).toBe(0);
  });
});

describe('durations', () => {
  it('are counted and summarised by percentiles, whatever their number and order', () => {
    const durations = new Durations();
    for (let value = 10_000; value >= 1; value -= 1) durations.add(value);
    expect(durations.summary()).toEqual({ count: 10_000, p50: 5_000, p99: 9_900, p999: 9_990, longest: 10_000 });
  });
});

describe('a table', () => {
  it('aligns the first column left and the others right, without trailing spaces', () => {
    expect(renderTable([['', 'CPU', ''], ['one', '1', 'x'], ['longer', '12.5']])).toBe('         CPU\none        1  x\nlonger  12.5\n');
  });

  it('is empty without rows', () => {
    expect(renderTable([])).toBe('');
  });
});
