import { locale } from '#locale';
import { gatewayNow } from './gateway-time';

const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Cached by zone and options, since creating a formatter is expensive. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(options: Intl.DateTimeFormatOptions, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${zone ?? ''} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locale.dates, { ...options, ...(zone === undefined ? {} : { timeZone: zone }) });
  formatters.set(key, made);
  return made;
}

function dateIn(date: Date, now: Date, zone: string | undefined): string {
  const year = formatter({ year: 'numeric' }, zone);
  const sameYear = year.format(date) === year.format(now);
  return formatter({ day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) }, zone).format(date).replace('Sept', 'Sep');
}

/** `22 Nov, 14:02`, with the year if it is not that of `now`. Default: the viewer's zone. */
export function shortInstant(instant: string, now: Date = gatewayNow(), zone?: string): string {
  const date = new Date(instant);
  return `${dateIn(date, now, zone)}, ${formatter(time, zone).format(date)}`;
}

/** `22 Nov, 14:02:11.204`. */
export function preciseInstant(instant: string, now: Date = gatewayNow(), zone?: string): string {
  const date = new Date(instant);
  return `${dateIn(date, now, zone)}, ${formatter({ ...time, second: '2-digit', fractionalSecondDigits: 3 }, zone).format(date)}`;
}

/** `22 December`, with the year if it is not that of `now`. */
export function longDate(instant: string, now: Date = gatewayNow(), zone?: string): string {
  const date = new Date(instant);
  const year = formatter({ year: 'numeric' }, zone);
  return formatter({ day: 'numeric', month: 'long', ...(year.format(date) === year.format(now) ? {} : { year: 'numeric' }) }, zone).format(date);
}

/** `just now`, `2 min ago`, `5 h ago`; `null` from a day on, and for times more than a minute in the future. */
export function ago(instant: string, now: Date = gatewayNow()): string | null {
  const age = now.getTime() - Date.parse(instant);
  if (age < -MINUTE || age >= DAY) return null;
  if (age < MINUTE) return locale.justNow;
  return age < HOUR ? locale.minutesAgo(Math.floor(age / MINUTE)) : locale.hoursAgo(Math.floor(age / HOUR));
}

export function utcInstant(instant: string): string {
  return new Date(instant).toISOString();
}

/** For example `05:45`. Default: the viewer's zone. */
export function timeOfDay(instant: string, zone?: string): string {
  return formatter(time, zone).format(new Date(instant));
}

/** Day in UTC, for example `2026-11-21`. */
export function utcDay(instant: string): string {
  return new Date(instant).toISOString().slice(0, 10);
}
