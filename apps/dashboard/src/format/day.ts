import { locale } from '#locale';
import { gatewayNow } from './gateway-time';

/** Milliseconds of a day. UTC days are labels such as `2026-11-22`, never instants. */
export const DAY = 86_400_000;

/** `22 Nov`; with the year if it differs from that of `today`. */
export function dayLabel(day: string, today: string = utcDay()): string {
  const [year, month, date] = day.split('-');
  const label = locale.dayOfMonth(date?.replace(/^0/, '') ?? '', locale.shortMonths[monthIndex(month)] ?? '');
  return year === today.slice(0, 4) ? label : `${label} ${year}`;
}

/** `November`, or `November 2025`. Accepts a day or a month. */
export function monthLabel(day: string, today: string = utcDay()): string {
  const [year, month] = day.split('-');
  const name = locale.longMonths[monthIndex(month)] ?? '';
  return year === today.slice(0, 4) ? name : `${name} ${year}`;
}

function monthIndex(month: string | undefined): number {
  return Number.parseInt(month ?? '', 10) - 1;
}

export function utcDay(now: Date = gatewayNow()): string {
  return now.toISOString().slice(0, 10);
}

/** `days` may be negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** Number of days from the first to the last, including both. */
export function daysFrom(first: string, last: string): number {
  return Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY) + 1;
}

export function daysInMonth(day: string): number {
  const first = `${day.slice(0, 7)}-01`;
  return daysFrom(first, addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1));
}

/** Days from the first to the last, including both. */
export function eachDay(first: string, last: string): readonly string[] {
  return Array.from({ length: daysFrom(first, last) }, (_, index) => addDays(first, index));
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
}

/** The last instant of the UTC day. Expiries on the command line end at the same time of day. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59.999Z`;
}

/** True if the text is a UTC day that is not over and ends within `maxDays` days. */
export function isFutureDay(text: string, now: Date, maxDays = Infinity): boolean {
  if (!isDay(text)) return false;
  const end = Date.parse(endOfDay(text));
  return end > now.getTime() && end <= now.getTime() + maxDays * DAY;
}

interface Days {
  readonly start?: string;
  readonly end?: string;
}

/** From the beginning of the first day to the end of the last. Ignores a value that is not a day, so that a mistyped URL still shows entries. */
export function instantsOf({ start, end }: Days): Days {
  return {
    ...(start !== undefined && isDay(start) ? { start: `${start}T00:00:00Z` } : {}),
    ...(end !== undefined && isDay(end) ? { end: `${addDays(end, 1)}T00:00:00Z` } : {}),
  };
}
