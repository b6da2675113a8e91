import { describe, expect, it } from '@jest/globals';
import { tableLines } from './table-lines.js';

const ID = 'acct_IOaJJ7zI1BdqDnkQtq1kSzoE';
const WIDE = {
  headings: ['ID', 'NAME', 'AVAILABLE', 'CREATED'],
  rows: [[ID, 'Ada Lovelace and Company', '4991.25', '2 min ago'], [ID, '', '-0.4', '2026-11-21 10:00']],
  whole: new Set([3]),
};

describe('a table', () => {
  it('aligns figures at their decimal points', () => {
    expect(tableLines({ headings: ['A', 'SUM', 'B'], rows: [['x', '12.5', 'y'], ['x', '+3', 'y'], ['x', '', 'y'], ['x', '-100.125', 'y']], whole: new Set() }, null)).toEqual([
      'A       SUM  B', 'x    12.5    y', 'x    +3      y', 'x            y', 'x  -100.125  y',
    ]);
  });

  it('is not cut if it fits, or without a terminal', () => {
    expect(tableLines(WIDE, 84)).toEqual(tableLines(WIDE, null));
    expect(tableLines(WIDE, null).join('\n')).not.toContain('…');
  });

  it('cuts texts first, then ids, never figures or times; its last line says that columns were cut', () => {
    expect(tableLines(WIDE, 80)).toEqual([
      `ID                             NAME                  AVAILABLE  CREATED`,
      `${ID}  Ada Lovelace and Co…    4991.25  2 min ago`,
      `${ID}                            -0.4   2026-11-21 10:00`,
      'Cut to 80 columns: --wide shows all.',
    ]);
    expect(tableLines(WIDE, 50)).toEqual([
      'ID         NAME       AVAILABLE  CREATED',
      'acct_IOa…  Ada Love…    4991.25  2 min ago',
      'acct_IOa…                 -0.4   2026-11-21 10:00',
      'Cut to 50 columns: --wide shows all.',
    ]);
  });

  it('does not cut a figure that is longer than any text', () => {
    const figure = '1'.repeat(40);
    expect(tableLines({ headings: ['SUM', 'NAME'], rows: [[figure, 'x'.repeat(30)]], whole: new Set() }, 60)[1]).toBe(`${figure}  ${'x'.repeat(17)}…`);
  });

  it.each([40, 50, 60, 70, 80, 120])('has no line longer than %d columns', (most) => {
    expect(Math.max(...tableLines(WIDE, most).map(({ length }) => length))).toBeLessThanOrEqual(most);
  });

  it('becomes a list for each row if cutting is not sufficient', () => {
    expect(tableLines(WIDE, 40)).toEqual([
      `ID:        ${ID}`, 'NAME:      Ada Lovelace and Company', 'AVAILABLE: 4991.25', 'CREATED:   2 min ago', '',
      `ID:        ${ID}`, 'AVAILABLE: -0.4', 'CREATED:   2026-11-21 10:00', '',
    ]);
  });

  it('does not cut a character in two', () => {
    expect(tableLines({ headings: ['NAME'], rows: [[`1234567${'😀'.repeat(20)}`]], whole: new Set() }, 9)[1]).toBe('1234567…');
  });
});
