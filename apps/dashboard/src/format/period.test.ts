import { describe, expect, it } from '@jest/globals';
import { columnPeriod, mondayOf, periodColumns, periodLabel, presetOf, presetPeriods, sameDaysOfLastMonth, unitOf } from './period.js';

describe('named periods', () => {
  it('compare this month so far with the same days of the last month, or with all of a shorter month', () => {
    expect(sameDaysOfLastMonth('2026-11-22')).toEqual({ first: '2026-10-01', last: '2026-10-22' });
    expect(sameDaysOfLastMonth('2026-03-31')).toEqual({ first: '2026-02-01', last: '2026-02-28' });
  });

  it('end today, except yesterday and the last month, which end on their last day', () => {
    expect(presetPeriods('2026-03-01')).toEqual({
      today: { first: '2026-03-01', last: '2026-03-01' },
      yesterday: { first: '2026-02-28', last: '2026-02-28' },
      last7: { first: '2026-02-23', last: '2026-03-01' },
      last30: { first: '2026-01-31', last: '2026-03-01' },
      thisMonth: { first: '2026-03-01', last: '2026-03-01' },
      lastMonth: { first: '2026-02-01', last: '2026-02-28' },
      last90: { first: '2025-12-02', last: '2026-03-01' },
      last365: { first: '2025-03-02', last: '2026-03-01' },
    });
  });

  it('are recognised by their first and last day, as of today', () => {
    expect(presetOf({ first: '2026-11-16', last: '2026-11-22' }, '2026-11-22')).toBe('last7');
    expect(presetOf({ first: '2026-11-16', last: '2026-11-22' }, '2026-11-23')).toBeNull();
    expect(presetOf({ first: '2026-10-01', last: '2026-10-31' }, '2026-11-22')).toBe('lastMonth');
  });
});

it.each([
  ['2026-11-22', '2026-11-22', '22 Nov'],
  ['2026-11-16', '2026-11-22', '16 – 22 Nov'],
  ['2026-10-28', '2026-11-02', '28 Oct – 2 Nov'],
  ['2025-12-28', '2026-01-02', '28 Dec 2025 – 2 Jan'],
  ['2025-12-01', '2025-12-02', '1 – 2 Dec 2025'],
])('the period from %s to %s is %s', (first, last, label) => {
  expect(periodLabel({ first, last }, '2026-11-22')).toBe(label);
});

it.each([
  ['2026-01-01', '2026-01-01', 'day'], ['2026-01-01', '2026-04-02', 'day'], ['2026-01-01', '2026-04-03', 'week'], ['2026-01-01', '2027-01-01', 'week'],
  ['2026-01-01', '2027-01-02', 'month'],
])('a chart from %s to %s has one bar per %s', (first, last, unit) => {
  expect(unitOf({ first, last })).toBe(unit);
});

describe('the bars of a period', () => {
  it('are days if the unit is a day', () => {
    expect(periodColumns({ first: '2026-02-27', last: '2026-03-02' }, 'day')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  });

  it('are weeks named by their Mondays, even if the period begins later in a week', () => {
    expect(periodColumns({ first: '2026-11-22', last: '2026-12-01' }, 'week')).toEqual(['2026-11-16', '2026-11-23', '2026-11-30']);
    expect(mondayOf('1969-12-31')).toBe('1969-12-29');
  });

  it('are months if the unit is a month', () => {
    expect(periodColumns({ first: '2025-12-31', last: '2026-02-01' }, 'month')).toEqual(['2025-12', '2026-01', '2026-02']);
  });

  it.each([
    ['2026-11-18', 'day', '2026-11-18', '2026-11-18'], ['2026-11-16', 'week', '2026-11-18', '2026-11-22'], ['2026-12-07', 'week', '2026-12-07', '2026-12-09'],
    ['2026-11', 'month', '2026-11-18', '2026-11-30'], ['2026-12', 'month', '2026-12-01', '2026-12-09'],
  ] as const)('that are named %s and cover a %s contain the days from %s to %s, which are in the period', (column, unit, first, last) => {
    expect(columnPeriod(column, unit, { first: '2026-11-18', last: '2026-12-09' })).toEqual({ first, last });
  });
});
