import { locale } from '#locale';

const grouped = new Intl.NumberFormat(locale.numbers, { maximumFractionDigits: 0 });
const millions = new Intl.NumberFormat(locale.numbers, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const percent = new Intl.NumberFormat(locale.numbers, { style: 'percent', maximumFractionDigits: 1 });
const MILLION = 1_000_000;
const SHORT_ABOVE = 10 * MILLION;

/** For example `48,210`. */
export function exactCount(count: number): string {
  return grouped.format(count);
}

/** In millions above ten million: `61.2 M`. */
export function shortCount(count: number): string {
  return count > SHORT_ABOVE ? locale.millions(millions.format(count / MILLION)) : exactCount(count);
}

/** For example `94.1 %`. */
export function share(part: number): string {
  return percent.format(part).replace(/\s?%/, ' %');
}

const plurals = new Intl.PluralRules(locale.numbers);

/** For example `1 request`, `2 requests`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${exactCount(count)} ${plurals.select(count) === 'one' ? one : many}`;
}
