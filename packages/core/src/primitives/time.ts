import type { Brand } from './brand.js';

/** Unix time, whole milliseconds. */
export type Instant = Brand<number, 'Instant'>;

export const MILLISECONDS_PER_SECOND = 1000;
export const MILLISECONDS_PER_MINUTE = 60_000;
export const MILLISECONDS_PER_HOUR = 3_600_000;
export const MILLISECONDS_PER_DAY = 86_400_000;

export function instant(unixMilliseconds: number): Instant {
  return Math.floor(unixMilliseconds) as Instant;
}

export function later(at: Instant, milliseconds: number): Instant {
  return (at + milliseconds) as Instant;
}

/** Whole seconds, rounded down. */
export function unixSeconds(at: Instant): number {
  return Math.floor(at / MILLISECONDS_PER_SECOND);
}

/** Whole seconds, rounded up and at least 1: a valid `retry-after`. */
export function secondsUntil(then: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((then - now) / MILLISECONDS_PER_SECOND));
}

/** `2026-11-21`, in UTC. The order of the texts is that of the days. */
export type UtcDay = Brand<string, 'UtcDay'>;
/** `2026-11`, in UTC. The order of the texts is that of the months. */
export type UtcMonth = Brand<string, 'UtcMonth'>;

interface CivilDate { readonly year: number; readonly month: number; readonly day: number }

const DAYS_PER_ERA = 146_097;
/** Days from 0000-03-01 to 1970-01-01 in the proleptic Gregorian calendar. */
const EPOCH_OFFSET_DAYS = 719_468;

/** Counts in years that begin in March, so that leap days come last. */
function civilDateOf(dayNumber: number): CivilDate {
  const shifted = dayNumber + EPOCH_OFFSET_DAYS;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

function daysSinceEpoch({ year, month, day }: CivilDate): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_OFFSET_DAYS;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

function dateAt(at: Instant): CivilDate {
  return civilDateOf(Math.floor(at / MILLISECONDS_PER_DAY));
}

export function utcDayOf(at: Instant): UtcDay {
  const { year, month, day } = dateAt(at);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` as UtcDay;
}

export function utcMonthOf(at: Instant): UtcMonth {
  return utcDayOf(at).slice(0, 7) as UtcMonth;
}

export function startOfUtcDay(at: Instant): Instant {
  return (Math.floor(at / MILLISECONDS_PER_DAY) * MILLISECONDS_PER_DAY) as Instant;
}

export function startOfNextUtcDay(at: Instant): Instant {
  return (startOfUtcDay(at) + MILLISECONDS_PER_DAY) as Instant;
}

export function startOfNextUtcMonth(at: Instant): Instant {
  const { year, month } = dateAt(at);
  const next = month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 };
  return (daysSinceEpoch(next) * MILLISECONDS_PER_DAY) as Instant;
}

/** UTC, milliseconds: `2026-11-21T01:26:24.000Z`. */
export function rfc3339(at: Instant): string {
  const ofDay = at - startOfUtcDay(at);
  const hours = pad(Math.floor(ofDay / 3_600_000), 2);
  const minutes = pad(Math.floor(ofDay / 60_000) % 60, 2);
  const seconds = pad(Math.floor(ofDay / 1000) % 60, 2);
  return `${utcDayOf(at)}T${hours}:${minutes}:${seconds}.${pad(ofDay % 1000, 3)}Z`;
}

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Start of the day; `null` for a malformed text or a day that the calendar does not have. */
export function parseUtcDay(text: string): Instant | null {
  const match = DAY_PATTERN.exec(text);
  if (match === null) return null;
  const date = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
  const at = (daysSinceEpoch(date) * MILLISECONDS_PER_DAY) as Instant;
  return utcDayOf(at) === text ? at : null;
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;
const DAY_CHARACTERS = 10;

/** `null` for invalid text, an impossible date, or a time before 1970. */
export function parseRfc3339(text: string): Instant | null {
  const milliseconds = RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
  const isReal = parseUtcDay(text.slice(0, DAY_CHARACTERS)) !== null && milliseconds >= 0;
  return isReal ? instant(milliseconds) : null;
}
