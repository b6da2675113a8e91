import { locale } from '#locale';

/** A float. For geometry only, never for text. */
export function barLength(amount: string): number {
  return Number(amount);
}

/** From 0 to 1; 1 for a limit of zero. */
export function shareOf(used: string | number, limit: string | number): number {
  const whole = Number(limit);
  return whole === 0 ? 1 : Math.min(Number(used) / whole, 1);
}

const axis = new Intl.NumberFormat(locale.numbers, { notation: 'compact', maximumSignificantDigits: 3 });

/** For example `1.5K`, `0.0125`. */
export function axisLabel(value: number): string {
  return axis.format(value);
}
