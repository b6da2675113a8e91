import { expect, it } from '@jest/globals';
import { addDays, dayLabel, daysFrom, daysInMonth, eachDay, endOfDay, instantsOf, isDay, isFutureDay, monthLabel, utcDay } from './day.js';

it('days and months are named with the year unless it is the current one', () => {
  expect([dayLabel('2026-11-02', '2026-11-29'), dayLabel('2025-11-22', '2026-11-29'), monthLabel('2026-11', '2026-11-29'), monthLabel('2025-01-31', '2026-11-29')]).toEqual(['2 Nov', '22 Nov 2025', 'November', 'January 2025']);
});

it('days are counted across the ends of months and years, including leap days', () => {
  expect([addDays('2026-12-31', 1), addDays('2028-03-01', -1), daysFrom('2026-11-30', '2026-12-01'), eachDay('2028-02-28', '2028-03-01')]).toEqual(['2027-01-01', '2028-02-29', 2, ['2028-02-28', '2028-02-29', '2028-03-01']]);
});

it('each month has its number of days, including leap years', () => {
  expect(['2026-01-31', '2026-02-01', '2028-02-29', '2026-11-22', '2026-12-31'].map(daysInMonth)).toEqual([31, 28, 29, 30, 31]);
});

it('only existing days are accepted; a period ignores mistyped ones', () => {
  expect(['2026-11-29', '2026-02-30', '2026-1-1', 'today'].map(isDay)).toEqual([true, false, false, false]);
  expect(instantsOf({ start: '2026-11-01', end: '2026-11-30' })).toEqual({ start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' });
  expect(instantsOf({ start: 'soon', end: '2026-02-30' })).toEqual({});
});

it('a day counts as future until it has ended in UTC, and only up to a maximum number of days ahead', () => {
  const now = new Date('2026-11-29T12:00:00Z');
  expect(endOfDay('2026-11-29')).toBe('2026-11-29T23:59:59.999Z');
  expect(['2026-11-29', '2027-01-01', '2026-11-28', '2026-02-30', ''].map((day) => isFutureDay(day, now))).toEqual([true, true, false, false, false]);
  expect(['2026-11-29', '2026-12-01', '2026-12-02'].map((day) => isFutureDay(day, now, 3))).toEqual([true, true, false]);
});

it('a day ends at midnight in UTC', () => {
  expect(['2026-11-29T23:59:59.999Z', '2026-11-30T00:00:00.000Z'].map((instant) => utcDay(new Date(instant)))).toEqual(['2026-11-29', '2026-11-30']);
});
