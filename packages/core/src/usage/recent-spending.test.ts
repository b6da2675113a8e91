import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import { instant, type UtcDay } from '../primitives/time.js';
import { recentSpending } from './recent-spending.js';

const NOW = instant(Date.UTC(2026, 10, 5, 12));

/** Spending for the given costs per day; a service token is worth one cent. */
function spending(costs: Readonly<Record<string, string>>, now = NOW): readonly string[] {
  const days = Object.entries(costs).map(([day, cost]) => ({ day: day as UtcDay, charged: ServiceTokens.parse(cost), chargedUsd: `0.0${cost.replace('.', '')}` }));
  const { today, month, sevenDays, lastMonth } = recentSpending(days, now);
  return [today, month, sevenDays, lastMonth].map(({ charged, usd }) => `${charged.toString()} ${usd.toString()}`);
}

describe('recent spending', () => {
  it('is zero without requests', () => {
    expect(spending({})).toEqual(['0 0', '0 0', '0 0', '0 0']);
  });

  it('counts whole UTC days; days of the previous month count only towards the last seven days', () => {
    expect(spending({ '2026-10-29': '1', '2026-10-30': '2', '2026-10-31': '3', '2026-11-01': '4', '2026-11-05': '5' })).toEqual(['5 0.05', '9 0.09', '14 0.14', '0 0']);
  });

  it.each([
    ['the same days', Date.UTC(2026, 10, 5, 12), { '2026-10-01': '1', '2026-10-05': '2', '2026-10-06': '4', '2026-09-05': '8' }, '3 0.03'],
    ['all days', Date.UTC(2026, 2, 31, 23), { '2026-02-01': '1', '2026-02-28': '2', '2026-03-01': '4' }, '3 0.03'],
    ['the first day, across a year,', Date.UTC(2026, 0, 1), { '2025-12-01': '1', '2025-12-02': '2', '2024-12-01': '4' }, '1 0.01'],
  ])('compares the month with %s of the month before', (_name, at, costs, sum) => {
    expect(spending(costs as unknown as Readonly<Record<string, string>>, instant(at))[3]).toBe(sum);
  });
});
