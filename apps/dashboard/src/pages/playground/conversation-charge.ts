import { total } from '../../format/price';
import type { Turn } from './conversation';

/** Exact. Replies without a receipt, such as stopped ones, are counted by `unknown`. */
export function chargeOf(turns: readonly Turn[]): { readonly charged: string; readonly replies: number; readonly unknown: number } {
  const replies = turns.flatMap((turn) => (turn.role === 'model' && turn.took !== null ? [turn.reply.receipt] : []));
  const known = replies.filter((receipt) => receipt !== null);
  return { charged: known.reduce((sum, { charged }) => total(sum, charged), '0'), replies: replies.length, unknown: replies.length - known.length };
}
