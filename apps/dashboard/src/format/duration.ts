import { locale } from '#locale';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** For seconds below a minute, so digits are never grouped. */
const twoPlaces = new Intl.NumberFormat(locale.numbers, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** For example `412 ms`, `6.31 s`, `3 min 20 s`, `2 h 5 min`, `12 days`. */
export function duration(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)} ${locale.millisecondUnit}`;
  if (milliseconds < MINUTE) return `${twoPlaces.format(milliseconds / SECOND)} ${locale.secondUnit}`;
  if (milliseconds < HOUR) return twoUnits(milliseconds, [MINUTE, locale.minuteUnit], [SECOND, locale.secondUnit]);
  if (milliseconds < DAY) return twoUnits(milliseconds, [HOUR, locale.hourUnit], [MINUTE, locale.minuteUnit]);
  return locale.days(Math.floor(milliseconds / DAY));
}

/** From whole seconds: `21 s`, `1 min 1 s`, `2 h 5 min`. */
export function wait(seconds: number): string {
  return seconds < 60 ? `${seconds} ${locale.secondUnit}` : duration(seconds * SECOND);
}

type Unit = readonly [milliseconds: number, name: string];

function twoUnits(milliseconds: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((milliseconds % large) / small);
  return `${Math.floor(milliseconds / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

const DAYS_OF_YEAR = 365.25;
/** Longer forecasts read "more than 10 years". */
const MOST_YEARS = 10;

/** For example `about 3 months`, `about 8 years`. */
export function aboutDays(days: number): string {
  if (days < 60) return locale.aboutDays(days);
  if (days < 730) return locale.aboutMonths(Math.round(days / 30.44));
  const years = Math.round(days / DAYS_OF_YEAR);
  return years > MOST_YEARS ? locale.moreThanYears(MOST_YEARS) : locale.aboutYears(years);
}
