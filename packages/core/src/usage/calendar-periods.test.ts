import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Instant, instant, later, MILLISECONDS_PER_DAY, utcDayOf } from '../primitives/time.js';
import { PERIOD_UNITS, periodsOf, type PeriodUnit, startOfUtcWeek } from './calendar-periods.js';

function midnight(text: string): Instant {
  return instant(Date.parse(`${text}T00:00:00Z`));
}

function shown(unit: PeriodUnit, from: string, to: string): readonly string[] {
  return periodsOf(unit, { from: midnight(from), to: midnight(to) }).map(({ label, from: first, before }) => `${label}: ${first} ${before}`);
}

describe('the periods of a range', () => {
  it('are the days of the range, if the unit is a day', () => {
    expect(shown('day', '2026-12-31', '2027-01-02')).toEqual(['2026-12-31: 2026-12-31 2027-01-01', '2027-01-01: 2027-01-01 2027-01-02']);
  });

  it('are weeks labelled by their Monday, even if the range cuts them', () => {
    expect(shown('week', '2026-11-22', '2026-12-01')).toEqual([
      '2026-11-16: 2026-11-22 2026-11-23', '2026-11-23: 2026-11-23 2026-11-30', '2026-11-30: 2026-11-30 2026-12-01',
    ]);
  });

  it('are weeks labelled by their Monday at the turn of a year and in the first week of 1970 too', () => {
    expect(shown('week', '2027-01-01', '2027-01-05')).toEqual(['2026-12-28: 2027-01-01 2027-01-04', '2027-01-04: 2027-01-04 2027-01-05']);
    expect(shown('week', '1970-01-01', '1970-01-06')).toEqual(['1969-12-29: 1970-01-01 1970-01-05', '1970-01-05: 1970-01-05 1970-01-06']);
  });

  it('are calendar months, even if the range cuts them', () => {
    expect(shown('month', '2028-01-31', '2028-03-02')).toEqual([
      '2028-01: 2028-01-31 2028-02-01', '2028-02: 2028-02-01 2028-03-01', '2028-03: 2028-03-01 2028-03-02',
    ]);
  });

  it('follow each other without a gap, whatever the range', () => {
    const days = fc.integer({ min: 0, max: 40_000 });
    fc.assert(fc.property(days, fc.integer({ min: 1, max: 400 }), fc.constantFrom(...PERIOD_UNITS), (first, count, unit) => {
      const from = instant(first * MILLISECONDS_PER_DAY);
      const to = later(from, count * MILLISECONDS_PER_DAY);
      const periods = periodsOf(unit, { from, to });
      expect(periods.map(({ from: begin }) => begin)).toEqual([utcDayOf(from), ...periods.slice(0, -1).map(({ before }) => before)]);
      expect(periods.at(-1)?.before).toBe(utcDayOf(to));
      expect(new Set(periods.map(({ label }) => label)).size).toBe(periods.length);
    }));
  });
});

it('a week starts on the Monday that Date states, at any time', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (milliseconds) => {
    const monday = startOfUtcWeek(instant(milliseconds));
    expect(new Date(monday).getUTCDay()).toBe(1);
    expect(milliseconds - monday).toBeGreaterThanOrEqual(0);
    expect(milliseconds - monday).toBeLessThan(7 * MILLISECONDS_PER_DAY);
  }));
});
