import { describe, expect, it } from '@jest/globals';
import { digits } from './numbers.js';
import { renderTable } from './table.js';

describe('a table', () => {
  it('lines up its columns, the first to the left and the others to the right, and leaves no space at the ends of lines', () => {
    expect(renderTable([['', 'CPU', ''], ['one', '1', 'x'], ['longer', '12.5']])).toBe('         CPU\none        1  x\nlonger  12.5\n');
  });

  it('of nothing is nothing', () => {
    expect(renderTable([])).toBe('');
  });
});

describe('a number', () => {
  it.each([[0, '0'], [0.0123, '0.012'], [0.4567, '0.457'], [1.5, '1.50'], [12.34, '12.3'], [123.4, '123'], [123_456.7, '123457'], [-2.345, '-2.35'], [Number.NaN, '-']])(
    '%d has the digits %s', (value, text) => {
      expect(digits(value)).toBe(text);
    });
});
