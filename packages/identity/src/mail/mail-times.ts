import { type Instant, invariant, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, rfc3339, utcDayOf } from '@tollgate/core';
import { DEFAULT_MAIL_LANGUAGE, type MailLanguage } from './mail-language.js';

type Unit = 'day' | 'hour' | 'minute';

const UNITS: readonly (readonly [milliseconds: number, unit: Unit])[] = [[MILLISECONDS_PER_DAY, 'day'], [MILLISECONDS_PER_HOUR, 'hour'], [MILLISECONDS_PER_MINUTE, 'minute']];

/** Singular and plural of each unit; in German, the dative, which follows "in". */
const UNIT_NAMES: Readonly<Record<MailLanguage, Readonly<Record<Unit, readonly [one: string, several: string]>>>> = {
  en: { day: ['day', 'days'], hour: ['hour', 'hours'], minute: ['minute', 'minutes'] },
  de: { day: ['Tag', 'Tagen'], hour: ['Stunde', 'Stunden'], minute: ['Minute', 'Minuten'] },
};

/** In the largest unit that gives a whole number: `15 minutes`, `1 hour`, `7 days`. */
export function durationText(milliseconds: number, language: MailLanguage = DEFAULT_MAIL_LANGUAGE): string {
  const [size, unit] = UNITS.find(([length]) => milliseconds % length === 0) ?? [0, 'minute'];
  invariant(size > 0 && milliseconds > 0, 'the lifetime of a link is in whole minutes');
  const count = milliseconds / size;
  const [one, several] = UNIT_NAMES[language][unit];
  return `${count} ${count === 1 ? one : several}`;
}

/** `2026-11-22 at 19:05 UTC` */
export function momentText(at: Instant, language: MailLanguage = DEFAULT_MAIL_LANGUAGE): string {
  const [day, time] = [utcDayOf(at), rfc3339(at).slice(11, 16)];
  return language === 'de' ? `${germanDay(day)} um ${time} Uhr (UTC)` : `${day} at ${time} UTC`;
}

/** `2026-11-22`, in German `22.11.2026`. */
export function dayText(day: string, language: MailLanguage = DEFAULT_MAIL_LANGUAGE): string {
  return language === 'de' ? germanDay(day) : day;
}

function germanDay(day: string): string {
  return day.split('-').toReversed().join('.');
}
