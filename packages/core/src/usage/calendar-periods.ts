import {
  type Instant, instant, later, MILLISECONDS_PER_DAY, startOfNextUtcDay, startOfNextUtcMonth, startOfUtcDay, type UtcDay, utcDayOf, utcMonthOf,
} from '../primitives/time.js';

/** Units of the UTC calendar. Weeks are those of ISO 8601, which begin on Monday. */
export const PERIOD_UNITS = ['day', 'week', 'month'] as const;
export type PeriodUnit = (typeof PERIOD_UNITS)[number];

/** Whole UTC days. */
export interface DayRange {
  /** The midnight that the first day begins with. */
  readonly from: Instant;
  /** The midnight that the last day ends with. */
  readonly to: Instant;
}

/** The days of a range that belong to one day, week or month. */
export interface CalendarPeriod {
  /** `2026-11-22`, for a week its Monday, for a month `2026-11`; a week or month that the range cuts keeps its label. */
  readonly label: string;
  readonly from: UtcDay;
  /** The first day after it. */
  readonly before: UtcDay;
}

const DAYS_PER_WEEK = 7;
/** The first day of 1970 was a Thursday: so many days after a Monday. */
const EPOCH_WEEKDAY = 3;

/** The first instant of the ISO week that `at` falls in. */
export function startOfUtcWeek(at: Instant): Instant {
  const dayNumber = Math.floor(at / MILLISECONDS_PER_DAY);
  const weekday = (dayNumber + EPOCH_WEEKDAY) % DAYS_PER_WEEK;
  return instant((dayNumber - weekday) * MILLISECONDS_PER_DAY);
}

interface PeriodRule {
  readonly label: (at: Instant) => string;
  /** The first instant of the next period. */
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

/** The periods of a range in their order. Together they are its days, each once. */
export function periodsOf(unit: PeriodUnit, { from, to }: DayRange): readonly CalendarPeriod[] {
  const { label, next } = RULES[unit];
  const periods: CalendarPeriod[] = [];
  for (let at = startOfUtcDay(from); at < to; at = next(at)) {
    const end = next(at) < to ? next(at) : to;
    periods.push({ label: label(at), from: utcDayOf(at), before: utcDayOf(end) });
  }
  return periods;
}
