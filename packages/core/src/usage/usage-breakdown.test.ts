import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseTokenRate } from '../money/token-rate.js';
import { UsdAmount } from '../money/usd-amount.js';
import { ServiceTokens } from '../money/service-tokens.js';
import { instant } from '../primitives/time.js';
import { breakdownOf, mostBucketsOf, parseBreakdownGrouping, rankUsage, topGroupsOf, type UsageCell, type UsageSlice } from './usage-breakdown.js';
import { addSums, NO_USAGE_SUMS, type UsageSums } from './usage-sums.js';

const CENT = parseTokenRate('0.01');

function sums(requests: number, units: number): UsageSums {
  const charged = ServiceTokens.fromUnits(BigInt(units));
  return { ...NO_USAGE_SUMS, requests, outputTokens: units, charged, chargedUsd: UsdAmount.worthOf(charged, CENT) };
}

function cell(period: string | null, group: string | null, charge: number): UsageCell {
  return { period, group, sums: sums(1, charge * 1_000_000) };
}

/** Shows a slice as `period group charge`. For other groups, shows their number instead of a group. */
function shown({ period, group, isOther, groups, sums: { charged } }: UsageSlice): string {
  return `${period ?? '-'} ${isOther ? `other(${groups})` : group ?? 'none'} ${charged.toString()}`;
}

const CELLS = [
  cell('d2', 'a', 5), cell('d1', 'a', 1), cell('d1', 'b', 3), cell('d2', 'b', 3), cell('d1', null, 4), cell('d1', 'c', 2), cell('d2', 'd', 1), cell('d1', 'd', 1),
];

describe('a summary by period and group', () => {
  it('lists the groups with the largest charges, ties by name, and combines all others', () => {
    const { slices, series, total } = breakdownOf(rankUsage(CELLS, 2));
    expect(slices.map(shown)).toEqual(['d1 a 1', 'd1 b 3', 'd1 other(3) 7', 'd2 a 5', 'd2 b 3', 'd2 other(1) 1']);
    expect(series.map(shown)).toEqual(['- a 6', '- b 6', '- other(3) 8']);
    expect([total.requests, total.charged.toString(), total.chargedUsd.toString()]).toEqual([8, '20', '0.2']);
  });

  it('lists all groups if there are few, and ranks requests without a group like a group', () => {
    const { slices, series } = breakdownOf(rankUsage(CELLS, 5));
    expect(series.map(shown)).toEqual(['- a 6', '- b 6', '- none 4', '- c 2', '- d 2']);
    expect(slices.map(shown)).toEqual(['d1 a 1', 'd1 b 3', 'd1 none 4', 'd1 c 2', 'd1 d 1', 'd2 a 5', 'd2 b 3', 'd2 d 1']);
  });

  it('ranks requests without a group behind a group with the same charge', () => {
    const { series } = breakdownOf(rankUsage([cell(null, null, 1), cell(null, 'z', 1)], 1));
    expect(series.map(shown)).toEqual(['- z 1', '- other(1) 1']);
  });

  it('omits groups whose requests sum to zero, and does not count them among the groups combined as other', () => {
    const takenBack = [{ ...cell('d1', 'x', 9) }, { period: 'd1', group: 'x', sums: sums(-1, -9_000_000) }];
    const { slices, series } = breakdownOf(rankUsage([...CELLS, ...takenBack], 1));
    expect([slices.map(shown), series.map(shown)]).toEqual([['d1 a 1', 'd1 other(4) 10', 'd2 a 5', 'd2 other(2) 4'], ['- a 6', '- other(4) 14']]);
  });

  it('is empty without requests', () => {
    expect(breakdownOf(rankUsage([], 5))).toEqual({ total: NO_USAGE_SUMS, series: [], slices: [] });
  });

  it('adds up to the same total for every grouping', () => {
    const cells = fc.array(fc.record({
      period: fc.constantFrom('d1', 'd2', 'd3', null), group: fc.constantFrom('a', 'b', 'c', 'd', 'e', '', null),
      sums: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 2_000_000_000 })).map(([requests, units]) => sums(requests, units)),
    }), { maxLength: 40 });
    const comparable = (value: UsageSums) => JSON.stringify(value);
    fc.assert(fc.property(cells, fc.integer({ min: 1, max: 7 }), (given, top) => {
      const { total, series, slices } = breakdownOf(rankUsage(given, top));
      const expected = comparable(given.reduce((sum, each) => addSums(sum, each.sums), NO_USAGE_SUMS));
      expect(comparable(total)).toBe(expected);
      for (const parts of [series, slices]) expect(comparable(parts.reduce((sum, each) => addSums(sum, each.sums), NO_USAGE_SUMS))).toBe(expected);
      expect(series.filter(({ isOther }) => !isOther).length).toBeLessThanOrEqual(top);
      expect(series.reduce((count, { groups }) => count + groups, 0)).toBe(new Set(given.map(({ group }) => group)).size);
    }));
  });
});

const DIMENSIONS = ['model', 'key', 'user'] as const;

function parsed(text: string): string | null {
  const grouping = parseBreakdownGrouping(text, DIMENSIONS, ['user']);
  return grouping === null ? null : `${grouping.unit ?? '-'} ${grouping.group ?? '-'}`;
}

describe('the grouping of a summary', () => {
  it.each([
    ['day', 'day -'], ['week', 'week -'], ['month', 'month -'], ['model', '- model'], ['key', '- key'], ['user', '- user'],
    ['day,model', 'day model'], ['model,day', 'day model'], ['month,key', 'month key'],
  ])('is read from %s', (text, expected) => {
    expect(parsed(text)).toBe(expected);
  });

  it.each([
    '', 'hour', 'day,', ',day', 'day,week', 'day,day', 'model,key', 'model,model', 'day,model,key', 'day,user', 'user,month', 'user,model', 'account', 'day,account', 'Day',
    '__proto__',
  ])('is not read from %j', (text) => {
    expect(parsed(text)).toBeNull();
  });

  it('lists as many groups as requested; by default 5 with periods and 1,000 without', () => {
    expect(topGroupsOf({ unit: 'day', group: 'model' }, 20)).toBe(20);
    expect(topGroupsOf({ unit: 'day', group: 'model' }, null)).toBe(5);
    expect(topGroupsOf({ unit: null, group: 'model' }, null)).toBe(1000);
  });

  it('allows, in each period, one bucket for each listed group and one for all other groups', () => {
    const days = { from: instant(Date.UTC(2026, 0, 1)), to: instant(Date.UTC(2027, 0, 1)) };
    expect(mostBucketsOf({ unit: 'day', group: 'model' }, days, 5)).toBe(365 * 6);
    expect(mostBucketsOf({ unit: 'week', group: 'model' }, days, 20)).toBe(53 * 21);
    expect(mostBucketsOf({ unit: 'month', group: null }, days, 20)).toBe(12);
    expect(mostBucketsOf({ unit: null, group: 'user' }, days, 1000)).toBe(1001);
  });
});
