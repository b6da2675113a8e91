import { describe, expect, it } from '@jest/globals';
import { digits } from './numbers.js';

describe('a number', () => {
  it.each([[0, '0'], [0.0123, '0.012'], [0.4567, '0.457'], [1.5, '1.50'], [12.34, '12.3'], [123.4, '123'], [123_456.7, '123457'], [-2.345, '-2.35'], [Number.NaN, '-']])(
    '%d has the digits %s', (value, text) => {
      expect(digits(value)).toBe(text);
    });
});
