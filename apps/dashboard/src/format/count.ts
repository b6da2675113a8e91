const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const millions = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const MILLION = 1_000_000;
const SHORT_ABOVE = 10 * MILLION;

/** For example `48,210`. */
export function exactCount(count: number): string {
  return grouped.format(count);
}

/** In millions from ten million on: `61.2 M`. */
export function shortCount(count: number): string {
  return count > SHORT_ABOVE ? `${millions.format(count / MILLION)} M` : exactCount(count);
}

/** For example `94.1 %`. */
export function share(part: number): string {
  return percent.format(part).replace('%', ' %');
}

const plurals = new Intl.PluralRules('en');

/** For example `1 request`, `2 requests`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${exactCount(count)} ${plurals.select(count) === 'one' ? one : many}`;
}
