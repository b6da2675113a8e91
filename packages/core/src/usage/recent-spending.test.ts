import { describe, expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import { instant, type UtcDay } from '../primitives/time.js';
import { recentSpending } from './recent-spending.js';

const NOW = instant(Date.UTC(2026, 10, 5, 12));

/** By day in service tokens; one costs a cent. */
function spending(costs: Readonly<Record<string, string>>): readonly string[] {
  const days = Object.entries(costs).map(([day, cost]) => ({ day: day as UtcDay, charged: ServiceTokens.parse(cost), chargedUsd: `0.0${cost.replace('.', '')}` }));
  const { today, month, sevenDays } = recentSpending(days, NOW);
  return [today, month, sevenDays].map(({ charged, usd }) => `${charged.toString()} ${usd.toString()}`);
}

describe('recent spending', () => {
  it('is zero without requests', () => {
    expect(spending({})).toEqual(['0 0', '0 0', '0 0']);
  });

  it('counts whole UTC days; days of the previous month count for the seven days only', () => {
    expect(spending({ '2026-10-29': '1', '2026-10-30': '2', '2026-10-31': '3', '2026-11-01': '4', '2026-11-05': '5' })).toEqual(['5 0.05', '9 0.09', '14 0.14']);
  });
});
