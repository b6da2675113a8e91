import { locale } from '#locale';
import { unitsOf } from './decimal';

/** Change against the period before. `share` is the relative change without a sign, `35 %`, or a factor, `12×`. */
export type Change =
  | { readonly kind: 'same' }
  /** The period before has a sum of zero. */
  | { readonly kind: 'new' }
  | { readonly kind: 'more' | 'less'; readonly share: string };

const TENTHS = 1_000n;
const SHARP_BELOW = 100n;
const FACTOR_FROM = 10_000n;

/** Compares exact decimals of zero or more. An increase by ten times the earlier sum or more becomes a factor: `12×`. */
export function changeOf(now: string, before: string): Change {
  const [after, first] = [unitsOf(now), unitsOf(before)];
  if (after === first) return { kind: 'same' };
  if (first === 0n) return { kind: 'new' };
  const difference = after > first ? after - first : first - after;
  const kind = after > first ? 'more' : 'less';
  const tenths = (difference * TENTHS + first / 2n) / first;
  if (tenths >= FACTOR_FROM) return { kind, share: `${String((after + first / 2n) / first)}×` };
  return { kind, share: percentOf(tenths) };
}

/** Writes tenths of a per cent as a percentage: with one decimal place below ten per cent, and zero as less than 0.1 %. */
function percentOf(tenths: bigint): string {
  if (tenths === 0n) return `< 0${locale.decimalPoint}1 %`;
  if (tenths < SHARP_BELOW) return `${tenths / 10n}${locale.decimalPoint}${tenths % 10n} %`;
  return `${String((tenths + 5n) / 10n)} %`;
}
