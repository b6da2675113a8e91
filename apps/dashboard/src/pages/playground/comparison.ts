import { compared, product } from '../../format/price';
import type { ModelTurn } from './conversation';

/** The figures by which replies that have ended are compared. */
export interface Measured {
  readonly model: string;
  /** Exact sum in service tokens. */
  readonly charged: string;
  readonly milliseconds: number;
}

export function measuredOf(turn: ModelTurn | undefined, charged: string | undefined): Measured | null {
  const exact = charged ?? turn?.reply.receipt?.charged;
  if (turn === undefined || turn.took === null || exact === undefined) return null;
  return { model: turn.model, charged: exact, milliseconds: turn.took };
}

export interface Comparison {
  /** The cheaper model; `null` if both cost the same. */
  readonly cheaper: string | null;
  /** How many times as much the other model cost, for example `3.2`; `null` if the cheaper one was free. */
  readonly times: string | null;
  /** The faster model; `null` if both took equally long, to a tenth of a second. */
  readonly faster: string | null;
  readonly milliseconds: number;
}

const TENTH_OF_SECOND = 100;

/** How many times `less` goes into `more`: with one decimal place below ten, rounded to a whole number above. `null` if `less` is zero. */
function timesOf(more: string, less: string): string | null {
  const places = (text: string): number => text.split('.')[1]?.length ?? 0;
  const digits = (text: string, to: number): bigint => BigInt(product(text, `1${'0'.repeat(to)}`));
  const to = Math.max(places(more), places(less));
  const [large, small] = [digits(more, to), digits(less, to)];
  if (small === 0n) return null;
  const tenths = (large * 10n + small / 2n) / small;
  return tenths < 100n ? `${tenths / 10n}.${tenths % 10n}` : String((tenths + 5n) / 10n);
}

export function comparisonOf(a: Measured, b: Measured): Comparison {
  const order = compared(a.charged, b.charged);
  const [less, more] = order <= 0 ? [a, b] : [b, a];
  const difference = a.milliseconds - b.milliseconds;
  const isSame = Math.abs(difference) < TENTH_OF_SECOND;
  return {
    cheaper: order === 0 ? null : less.model, times: order === 0 ? null : timesOf(more.charged, less.charged),
    faster: isSame ? null : (difference < 0 ? a : b).model, milliseconds: Math.abs(difference),
  };
}
