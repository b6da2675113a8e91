import { describe, expect, it } from '@jest/globals';
import { spendTable, type SpendPoint } from './spend-series.js';

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22'];
const sum = (amount: string, tokens = amount) => ({ amount, tokens });
const point = (column: string, series: string | null, amount: string): SpendPoint => ({ column, series, ...sum(amount) });

describe('the table of spending', () => {
  it('is summed exactly and includes every day', () => {
    const table = spendTable(DAYS, [point('2026-11-20', 'a', '9007199254.740993'), point('2026-11-20', 'a', '0.000001'), point('2026-11-22', 'b', '0.1')]);
    expect(table.columns).toEqual([
      { column: '2026-11-20', sums: { s0: sum('9007199254.740994') }, total: sum('9007199254.740994') },
      { column: '2026-11-21', sums: {}, total: sum('0') },
      { column: '2026-11-22', sums: { s1: sum('0.1') }, total: sum('0.1') },
    ]);
    expect(table.total).toEqual(sum('9007199254.840994'));
    expect(table.largest?.column).toBe('2026-11-20');
  });

  it('sums dollars and service tokens side by side, to the last of eighteen places', () => {
    const cost = (amount: string, tokens: string): SpendPoint => ({ column: '2026-11-20', series: 'a', amount, tokens });
    expect(spendTable(DAYS, [cost('0.000000000000000001', '0.000001'), cost('0.1', '100')]).total).toEqual(sum('0.100000000000000001', '100.000001'));
  });

  it('ranks series by spend in the period, and combines those beyond the fifth', () => {
    const points = ['a', 'b', 'c', 'd', 'e', 'f', null].map((series, rank) => point('2026-11-21', series, String(rank + 1)));
    const { series, columns } = spendTable(DAYS, points);
    expect(series.map(({ key, ids, isOther, total }) => [key, ids, isOther, total.amount])).toEqual([
      ['s0', [null], false, '7'], ['s1', ['f'], false, '6'], ['s2', ['e'], false, '5'], ['s3', ['d'], false, '4'], ['s4', ['c'], false, '3'], ['other', ['b', 'a'], true, '3'],
    ]);
    expect(columns[1]?.sums['other']).toEqual(sum('3'));
    expect(series.at(-1)?.parts).toEqual([{ id: 'b', total: sum('2') }, { id: 'a', total: sum('1') }]);
  });

  it('shows the sixth series under its own name if there is no seventh', () => {
    const points = ['a', 'b', 'c', 'd', 'e', 'f'].map((series) => point('2026-11-21', series, '1'));
    expect(spendTable(DAYS, points).series.at(-1)).toEqual({ key: 'other', ids: ['f'], isOther: false, count: 1, total: sum('1'), parts: [{ id: 'f', total: sum('1') }] });
  });

  it('shows the gateway’s sum of all other series as one more series', () => {
    const points = [...['a', 'b', 'c', 'd', 'e'].map((series) => point('2026-11-21', series, '3')), { ...point('2026-11-21', null, '0.5'), others: 7 }];
    const { series, columns, total } = spendTable(DAYS, points);
    expect(series.at(-1)).toEqual({ key: 'other', ids: [], isOther: true, count: 7, total: sum('0.5'), parts: [] });
    expect(series).toHaveLength(6);
    expect([columns[1]?.sums['other'], total]).toEqual([sum('0.5'), sum('15.5')]);
  });

  it('omits series without charges, and days outside the period', () => {
    const table = spendTable(DAYS, [point('2026-11-19', 'a', '5'), point('2026-11-20', 'b', '0')]);
    expect(table).toMatchObject({ series: [], total: sum('0'), largest: null });
  });
});
