import { describe, expect, it } from '@jest/globals';
import { spendTable, type SpendPoint } from './spend-series.js';

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22'];
const point = (column: string, series: string | null, amount: string): SpendPoint => ({ column, series, amount });

describe('what was spent, as a table', () => {
  it('is summed exactly and includes every day', () => {
    const table = spendTable(DAYS, [point('2026-11-20', 'a', '9007199254.740993'), point('2026-11-20', 'a', '0.000001'), point('2026-11-22', 'b', '0.1')]);
    expect(table.columns).toEqual([
      { column: '2026-11-20', amounts: { s0: '9007199254.740994' }, total: '9007199254.740994' },
      { column: '2026-11-21', amounts: {}, total: '0' },
      { column: '2026-11-22', amounts: { s1: '0.1' }, total: '0.1' },
    ]);
    expect(table.total).toBe('9007199254.840994');
    expect(table.largest?.column).toBe('2026-11-20');
  });

  it('ranks series by spend in the period, and combines those beyond the fifth', () => {
    const points = ['a', 'b', 'c', 'd', 'e', 'f', null].map((series, rank) => point('2026-11-21', series, String(rank + 1)));
    const { series, columns } = spendTable(DAYS, points);
    expect(series.map(({ key, ids, isOther, total }) => [key, ids, isOther, total])).toEqual([
      ['s0', [null], false, '7'], ['s1', ['f'], false, '6'], ['s2', ['e'], false, '5'], ['s3', ['d'], false, '4'], ['s4', ['c'], false, '3'], ['other', ['b', 'a'], true, '3'],
    ]);
    expect(columns[1]?.amounts['other']).toBe('3');
  });

  it('shows a sixth series under its own name', () => {
    const points = ['a', 'b', 'c', 'd', 'e', 'f'].map((series) => point('2026-11-21', series, '1'));
    expect(spendTable(DAYS, points).series.at(-1)).toEqual({ key: 'other', ids: ['f'], isOther: false, count: 1, total: '1' });
  });

  it('adds the gateway’s sum of other series', () => {
    const points = [...['a', 'b', 'c', 'd', 'e'].map((series) => point('2026-11-21', series, '3')), { ...point('2026-11-21', null, '0.5'), others: 7 }];
    const { series, columns, total } = spendTable(DAYS, points);
    expect(series.at(-1)).toEqual({ key: 'other', ids: [], isOther: true, count: 7, total: '0.5' });
    expect(series).toHaveLength(6);
    expect([columns[1]?.amounts['other'], total]).toEqual(['0.5', '15.5']);
  });

  it('omits free series and days outside the period', () => {
    const table = spendTable(DAYS, [point('2026-11-19', 'a', '5'), point('2026-11-20', 'b', '0')]);
    expect(table).toMatchObject({ series: [], total: '0', largest: null });
  });
});
