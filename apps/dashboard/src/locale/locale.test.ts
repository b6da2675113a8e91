import { describe, expect, it } from '@jest/globals';
import { locale as de } from './de';
import { locale as en } from './en';

describe.each([['en', en], ['de', de]] as const)('the locale %s', (language, locale) => {
  it('has the language of its file, and number and date locales that Intl supports', () => {
    expect(locale.language).toBe(language);
    expect(Intl.NumberFormat.supportedLocalesOf([locale.numbers, locale.dates])).toEqual([locale.numbers, locale.dates]);
  });

  it('has the decimal point and the group separator that Intl uses', () => {
    expect(new Intl.NumberFormat(locale.numbers, { minimumFractionDigits: 1 }).format(1_234_567.5)).toBe(`1${locale.groupSeparator}234${locale.groupSeparator}567${locale.decimalPoint}5`);
  });

  it('names the months as Intl does', () => {
    const firsts = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1)));
    const named = (month: 'long' | 'short') => firsts.map((first) => new Intl.DateTimeFormat(locale.dates, { day: 'numeric', month, timeZone: 'UTC' }).formatToParts(first).find(({ type }) => type === 'month')?.value);
    expect(named('long')).toEqual(locale.longMonths);
    expect(named('short').map((month) => month?.replace(/^Sept$/, 'Sep'))).toEqual(locale.shortMonths);
  });
});
