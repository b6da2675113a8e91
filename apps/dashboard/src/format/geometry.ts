import { locale } from '#locale';

/** A float. For geometry only, never for text. */
export function barLength(amount: string): number {
  return Number(amount);
}

/** Used part of a limit, from 0 to 1; 1 for a limit of zero. */
export function shareOf(used: string | number, limit: string | number): number {
  const whole = Number(limit);
  return whole === 0 ? 1 : Math.min(Number(used) / whole, 1);
}

const axis = new Intl.NumberFormat(locale.numbers, { notation: 'compact', maximumSignificantDigits: 3 });

/** For example `1.5K`, `0.0125`. */
export function axisLabel(value: number): string {
  return axis.format(value);
}

/** Maximum number of intervals on an axis. */
const MOST_STEPS = 4;
const STEPS = [1, 2, 5, 10] as const;

/**
 * Ticks from zero to the first one at or above `highest`. Their distance is 1, 2, 5 or 10 times a power of ten of at least `least`; 0 permits every
 * power.
 */
export function axisTicks(highest: number, least = 0): readonly number[] {
  if (!(highest > 0)) return [0];
  const exponent = Math.floor(Math.log10(Math.max(highest / MOST_STEPS, least)));
  // A negative power of ten is not exact, but its reciprocal is.
  const power = 10 ** Math.abs(exponent);
  const scaled = exponent < 0 ? highest * power : highest / power;
  const step = STEPS.find((one) => one * MOST_STEPS >= scaled) ?? 10;
  return Array.from({ length: Math.ceil(scaled / step) + 1 }, (_none, index) => (exponent < 0 ? index * step / power : index * step * power));
}

interface Box {
  readonly width: number;
  readonly height: number;
}

/** A line through the values, from zero at the bottom to the highest at the top; `null` for fewer than two, or if all are zero. */
export function sparkPath(values: readonly (string | number)[], { width, height }: Box): string | null {
  const lengths = values.map(Number);
  const highest = Math.max(0, ...lengths);
  if (lengths.length < 2 || highest === 0) return null;
  const pointAt = (length: number, index: number) => `${(index * width / (lengths.length - 1)).toFixed(1)} ${(height - 1 - length / highest * (height - 2)).toFixed(1)}`;
  return `M${lengths.map(pointAt).join('L')}`;
}
