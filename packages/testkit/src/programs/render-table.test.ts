import { describe, expect, it } from '@jest/globals';
import { renderTable } from './render-table.js';

describe('a table', () => {
  it('aligns the first column left and the others right, without trailing spaces', () => {
    expect(renderTable([['', 'CPU', ''], ['one', '1', 'x'], ['longer', '12.5']])).toBe('         CPU\none        1  x\nlonger  12.5\n');
  });

  it('is empty without rows', () => {
    expect(renderTable([])).toBe('');
  });
});
