import type { Language } from './languages';

/**
 * How a language writes numbers, dates and times. Each language has a file of its name beside this one; `#locale` is the file of the language that is
 * built.
 */
export interface Locale {
  readonly language: Language;
  /** BCP 47, for `Intl.NumberFormat` and `Intl.PluralRules`. */
  readonly numbers: string;
  /** BCP 47, for `Intl.DateTimeFormat`. */
  readonly dates: string;
  /** Locale name in dayjs, the calendar's library. */
  readonly calendar: string;
  /** Between whole part and fraction of amounts that stay strings. */
  readonly decimalPoint: string;
  /** Between groups of three digits. */
  readonly groupSeparator: string;
  /** Names of the months in dates with a day, January first. */
  readonly shortMonths: readonly string[];
  readonly longMonths: readonly string[];
  /** Day of a month, for example `22 Nov`. */
  readonly dayOfMonth: (day: string, month: string) => string;
  readonly justNow: string;
  readonly minutesAgo: (minutes: number) => string;
  readonly hoursAgo: (hours: number) => string;
  readonly days: (days: number) => string;
  /** Units of durations. */
  readonly hourUnit: string;
  readonly minuteUnit: string;
  readonly secondUnit: string;
  readonly millisecondUnit: string;
  readonly aboutDays: (days: number) => string;
  readonly aboutMonths: (months: number) => string;
  readonly aboutYears: (years: number) => string;
  readonly moreThanYears: (years: number) => string;
  /** What service tokens are called unless the operator names them. */
  readonly serviceTokens: { readonly one: string; readonly many: string };
  /** Adds the unit to a number of millions. */
  readonly millions: (millions: string) => string;
}
