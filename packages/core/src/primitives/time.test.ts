import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type Instant, instant, later, parseUtcDay, rfc3339, secondsUntil, startOfNextUtcDay, startOfNextUtcMonth, startOfUtcDay, unixSeconds, utcDayOf, utcMonthOf,
} from './time.js';

const DAY = 86_400_000;

/** Leap days, ends of months, years and centuries; tested 1 ms before, at and after midnight. */
const TURNS = ['1970-01-01', '1972-02-29', '1999-12-31', '2000-02-29', '2000-03-01', '2024-02-29', '2025-02-28', '2026-11-30', '2096-02-29', '2100-02-28', '2100-03-01', '2399-12-31']
  .flatMap((day) => [Date.parse(day), Date.parse(day) + DAY])
  .flatMap((at) => [at - 1, at, at + 1]);

const anyTime = fc.oneof(
  fc.constantFrom(...TURNS),
  fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9999, 10, 30) }),
);

function byDate(at: number): Readonly<Record<string, unknown>> {
  const date = new Date(at);
  return {
    rfc3339: date.toISOString(),
    day: date.toISOString().slice(0, 10),
    month: date.toISOString().slice(0, 7),
    start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()),
    nextDay: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1),
    nextMonth: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  };
}

function byCalendar(at: Instant): Readonly<Record<string, unknown>> {
  return {
    rfc3339: rfc3339(at),
    day: utcDayOf(at),
    month: utcMonthOf(at),
    start: startOfUtcDay(at),
    nextDay: startOfNextUtcDay(at),
    nextMonth: startOfNextUtcMonth(at),
  };
}

describe('the UTC calendar', () => {
  it('agrees with Date at every change of day, month, year and century', () => {
    for (const at of TURNS) expect(byCalendar(instant(at))).toEqual(byDate(at));
  });

  it('agrees with Date at any time since the year 100', () => {
    // Date.UTC reads years below 100 as 19xx.
    const times = fc.integer({ min: Date.UTC(100, 0, 1), max: Date.UTC(9999, 10, 30) });
    fc.assert(fc.property(times, (at) => {
      expect(byCalendar(instant(at))).toEqual(byDate(at));
    }), { numRuns: 2000 });
  });

  it('reads back every day that it prints', () => {
    fc.assert(fc.property(anyTime.filter((at) => at >= Date.UTC(100, 0, 1)), (at) => {
      expect(parseUtcDay(utcDayOf(instant(at)))).toBe(startOfUtcDay(instant(at)));
    }));
  });

  it.each([
    ['2025-02-29'], ['2100-02-29'], ['2026-13-01'], ['2026-00-10'], ['2026-04-31'], ['2026-11-00'], ['26-11-21'], ['2026-11-21T00:00:00Z'], [''], [' 2026-11-21'],
  ])('rejects the day %j', (text) => {
    expect(parseUtcDay(text)).toBeNull();
  });
});

describe('instants', () => {
  it.each([[0, 1], [1, 1], [1000, 1], [1001, 2], [59_999, 60], [-5000, 1]])('that are %d ms from now are %d s away', (distance, seconds) => {
    expect(secondsUntil(later(instant(7), distance), instant(7))).toBe(seconds);
  });

  it('are whole milliseconds, shown as whole seconds on the wire', () => {
    expect([instant(1234.9), unixSeconds(instant(1999))]).toEqual([1234, 1]);
  });
});
