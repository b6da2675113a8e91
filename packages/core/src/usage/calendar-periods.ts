import {
  type Instant, instant, later, MILLISECONDS_PER_DAY, startOfNextUtcDay, startOfNextUtcMonth, startOfUtcDay, type UtcDay, utcDayOf, utcMonthOf,
} from '../primitives/time.js';

/** Periods in UTC. Weeks are those of ISO 8601, which start on Monday. */
export const PERIOD_UNITS = ['day', 'week', 'month'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** A range of whole UTC days. */
export interface DayRange {
  /** Midnight before the first day. */
  readonly from: Instant;
  /** Midnight after the last day. */
  readonly to: Instant;
}

/** The part of a day, week or month that is within the range. */
export interface CalendarPeriod {
  /** The day (`2026-11-22`), the Monday of the week, or the month (`2026-11`), even if the range cuts the period. */
  readonly label: string;
  readonly from: UtcDay;
  /** Exclusive. */
  readonly before: UtcDay;
}

const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday: three days after Monday. */
const EPOCH_WEEKDAY = 3;

/** Midnight at the beginning of the week's Monday. */
export function startOfUtcWeek(at: Instant): Instant {
  const dayNumber = Math.floor(at / MILLISECONDS_PER_DAY);
  const weekday = (dayNumber + EPOCH_WEEKDAY) % DAYS_PER_WEEK;
  return instant((dayNumber - weekday) * MILLISECONDS_PER_DAY);
}

interface PeriodRule {
  readonly label: (at: Instant) => string;
  /** Start of the next period. */
  readonly next: (at: Instant) => Instant;
}

function mondayOf(at: Instant): string {
  return utcDayOf(startOfUtcWeek(at));
}

const RULES: Readonly<Record<PeriodUnit, PeriodRule>> = {
  day: { label: utcDayOf, next: startOfNextUtcDay },
  week: { label: mondayOf, next: (at) => later(startOfUtcWeek(at), DAYS_PER_WEEK * MILLISECONDS_PER_DAY) },
  month: { label: utcMonthOf, next: startOfNextUtcMonth },
};

/** In order; the periods partition the range. */
export function periodsOf(unit: PeriodUnit, { from, to }: DayRange): readonly CalendarPeriod[] {
  const { label, next } = RULES[unit];
  const periods: CalendarPeriod[] = [];
  for (let at = startOfUtcDay(from); at < to; at = next(at)) {
    const end = next(at) < to ? next(at) : to;
    periods.push({ label: label(at), from: utcDayOf(at), before: utcDayOf(end) });
  }
  return periods;
}
