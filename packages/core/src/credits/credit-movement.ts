import type { MoneyActKind } from '../billing/money-act.js';
import { creditEntryOf, takenBackReferenceOf } from '../billing/reserved-references.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import { assertNever } from '../primitives/assert-never.js';
import type { RequestId } from '../primitives/ids.js';
import { invariant } from '../primitives/invariant.js';
import type { Instant } from '../primitives/time.js';
import type { CreditMovement } from './credits-left.js';

/** A ledger entry as one account sees it. */
export interface AccountEntry {
  readonly entry: bigint;
  readonly kind: MoneyActKind | 'charge' | 'late-charge';
  readonly isCredit: boolean;
  readonly amount: ServiceTokens;
  readonly requestId: RequestId | null;
  readonly reference: string | null;
  readonly expiresAt: Instant | null;
  readonly at: Instant;
}

/**
 * What an entry does to the credits of its account. A correction that raises the balance, a failed payment refund and a won dispute each add a credit
 * that does not expire.
 */
export function creditMovementOf({ entry, kind, isCredit, amount, at, requestId, reference, expiresAt }: AccountEntry): CreditMovement {
  const common = { entry, amount, at };
  switch (kind) {
    case 'charge': case 'late-charge': return { ...common, kind: 'charge', requestId };
    case 'top-up': case 'signup-credit': case 'voucher': case 'payment': return { ...common, kind: 'credit', reference, expiresAt };
    case 'refund':
      invariant(requestId !== null, 'a refund names its request');
      return { ...common, kind: 'refund', requestId };
    case 'payment-refund': case 'dispute':
      if (isCredit) return { ...common, kind: 'credit', reference, expiresAt: null };
      return { ...common, kind: 'take-back', reference: takenBackReferenceOf(reference ?? '') };
    case 'expiry': return { ...common, kind: 'expiry', credit: creditEntryOf(reference ?? '') };
    case 'correction': return isCredit ? { ...common, kind: 'credit', reference, expiresAt: null } : { ...common, kind: 'charge', requestId: null };
    case 'forfeiture': return { ...common, kind: 'charge', requestId: null };
    default: return assertNever(kind);
  }
}
