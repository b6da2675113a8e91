import { describe, expect, it } from '@jest/globals';
import { sparkPath } from './geometry.js';

const BOX = { width: 100, height: 32 };

describe('the line of a small chart', () => {
  it('has its highest value at the top and zero at the bottom', () => {
    expect(sparkPath(['0', '0.000002', 1e-6], BOX)).toBe('M0.0 31.0L50.0 1.0L100.0 16.0');
  });

  it.each([[[]], [['5']], [['0', '0.000']]])('is left out for %j', (values) => {
    expect(sparkPath(values, BOX)).toBeNull();
  });
});
