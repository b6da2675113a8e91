import { describe, expect, it } from '@jest/globals';
import { renderTable } from './render-table.js';

describe('a table', () => {
  it('lines up its columns, the first to the left and the others to the right, and leaves no space at the ends of lines', () => {
    expect(renderTable([['', 'CPU', ''], ['one', '1', 'x'], ['longer', '12.5']])).toBe('         CPU\none        1  x\nlonger  12.5\n');
  });

  it('of nothing is nothing', () => {
    expect(renderTable([])).toBe('');
  });
});
