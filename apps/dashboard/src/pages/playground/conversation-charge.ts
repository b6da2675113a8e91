import { total } from '../../format/price';
import type { Turn } from './conversation';

/** Exact charge in service tokens and in dollars. `unknown` counts replies without a receipt, such as stopped ones. */
export function chargeOf(turns: readonly Turn[]): { readonly charged: string; readonly usd: string; readonly replies: number; readonly unknown: number } {
  const replies = turns.flatMap((turn) => (turn.role === 'model' && turn.took !== null ? [turn.reply.receipt] : []));
  const known = replies.filter((receipt) => receipt !== null);
  const sum = (amount: 'charged' | 'usd') => known.reduce((all, receipt) => total(all, receipt[amount]), '0');
  return { charged: sum('charged'), usd: sum('usd'), replies: replies.length, unknown: replies.length - known.length };
}
