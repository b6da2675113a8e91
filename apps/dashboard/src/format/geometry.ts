/**
 * Where amounts become numbers: lengths of bars and positions of axes, and nothing that is read.
 * Text beside a chart is made from the exact strings.
 */

/** The length of a bar, in service tokens, as a float. */
export function barLength(amount: string): number {
  return Number(amount);
}

/** The part of a limit that is used, from 0 to 1. `0` of a limit of zero is all of it. */
export function shareOf(used: string | number, limit: string | number): number {
  const whole = Number(limit);
  return whole === 0 ? 1 : Math.min(Number(used) / whole, 1);
}

const axis = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** A position on an axis, rounded: `1.5K`, `0.0125`. */
export function axisLabel(value: number): string {
  return axis.format(value);
}
