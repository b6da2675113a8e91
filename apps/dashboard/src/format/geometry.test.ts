import { describe, expect, it } from '@jest/globals';
import { axisTicks, sparkPath } from './geometry.js';

const BOX = { width: 100, height: 32 };

describe('the line of a small chart', () => {
  it('has its highest value at the top and zero at the bottom', () => {
    expect(sparkPath(['0', '0.000002', 1e-6], BOX)).toBe('M0.0 31.0L50.0 1.0L100.0 16.0');
  });

  it.each([[[]], [['5']], [['0', '0.000']]])('is left out for %j', (values) => {
    expect(sparkPath(values, BOX)).toBeNull();
  });
});

describe('the values at an axis', () => {
  it.each([
    [0.018, 0, [0, 0.005, 0.01, 0.015, 0.02]],
    [0.0031, 0, [0, 0.001, 0.002, 0.003, 0.004]],
    [0.000_098, 0, [0, 0.000_05, 0.000_1]],
    [1_009.83, 0, [0, 500, 1_000, 1_500]],
    [3, 1, [0, 1, 2, 3]],
    [1, 1, [0, 1]],
    [4_500_000, 1, [0, 2_000_000, 4_000_000, 6_000_000]],
    [0, 0, [0]],
  ])('up to %d, in steps of at least %d, are %j', (highest, least, values) => {
    expect(axisTicks(highest, least)).toEqual(values);
  });
});
