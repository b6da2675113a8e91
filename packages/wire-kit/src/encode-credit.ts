import { type CreditLeft, MAX_LISTED_CREDITS } from '@tollgate/core';
import { timeOrNull } from './encode-time.js';

/** At most `MAX_LISTED_CREDITS` of the credits, in the given order. */
export function encodeCredits(credits: readonly CreditLeft[]) {
  return {
    object: 'credits' as const,
    data: credits.slice(0, MAX_LISTED_CREDITS).map(({ entry, reference, amount, left, expiresAt }) => ({
      object: 'credit' as const, ledger_entry: String(entry), reference, svc_tokens: amount.toString(), left: left.toString(), expires_at: timeOrNull(expiresAt),
    })),
    has_more: credits.length > MAX_LISTED_CREDITS,
  };
}
