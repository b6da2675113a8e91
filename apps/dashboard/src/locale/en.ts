import type { Locale } from './locale';

export const locale: Locale = {
  language: 'en',
  numbers: 'en',
  dates: 'en-GB',
  decimalPoint: '.',
  groupSeparator: ',',
  shortMonths: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  longMonths: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
  dayOfMonth: (day, month) => `${day} ${month}`,
  justNow: 'just now',
  minutesAgo: (minutes) => `${minutes} min ago`,
  hoursAgo: (hours) => `${hours} h ago`,
  days: (days) => (days === 1 ? '1 day' : `${days} days`),
  hourUnit: 'h',
  minuteUnit: 'min',
  secondUnit: 's',
  millisecondUnit: 'ms',
  aboutDays: (days) => (days === 1 ? 'about 1 day' : `about ${days} days`),
  aboutMonths: (months) => `about ${months} months`,
  aboutYears: (years) => `about ${years} years`,
  millions: (millions) => `${millions} M`,
};
