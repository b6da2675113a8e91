import calendar from 'dayjs/locale/de.js';
import type { Locale } from './locale';

export const locale: Locale = {
  language: 'de',
  numbers: 'de',
  dates: 'de-DE',
  calendar: calendar.name,
  decimalPoint: ',',
  groupSeparator: '.',
  shortMonths: ['Jan.', 'Feb.', 'März', 'Apr.', 'Mai', 'Juni', 'Juli', 'Aug.', 'Sept.', 'Okt.', 'Nov.', 'Dez.'],
  longMonths: ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember'],
  dayOfMonth: (day, month) => `${day}. ${month}`,
  justNow: 'gerade eben',
  minutesAgo: (minutes) => `vor ${minutes} Min.`,
  hoursAgo: (hours) => `vor ${hours} Std.`,
  days: (days) => (days === 1 ? '1 Tag' : `${days} Tage`),
  hourUnit: 'Std.',
  minuteUnit: 'Min.',
  secondUnit: 's',
  millisecondUnit: 'ms',
  aboutDays: (days) => (days === 1 ? 'etwa 1 Tag' : `etwa ${days} Tage`),
  aboutMonths: (months) => `etwa ${months} Monate`,
  aboutYears: (years) => `etwa ${years} Jahre`,
  moreThanYears: (years) => `mehr als ${years} Jahre`,
  serviceTokens: { one: 'Service-Token', many: 'Service-Tokens' },
  millions: (millions) => `${millions} Mio.`,
};
