import { ServiceTokens } from '../money/service-tokens.js';
import type { Actor } from '../platform/actor.js';
import { type AccountId, assertNever, type RequestId } from '../primitives/primitives.js';
import type { Instant } from '../primitives/time.js';
import type { Balance } from './balance.js';

interface AnyMoneyAct {
  readonly accountId: AccountId;
  /** More than zero, also where the act lowers the balance. */
  readonly amount: ServiceTokens;
  /** The same reference books one act, of whichever kind, however often it is sent. */
  readonly reference: string;
  /** Why, in the operator's words. */
  readonly reason: string | null;
  readonly actor: Actor;
  readonly at: Instant;
}

/** What operators, and the gateway itself, book on an account beside its requests. No act changes usage, caps or daily sums. */
export type MoneyAct = AnyMoneyAct & (
  | { readonly kind: 'top-up' | 'signup-credit' }
  /** Gives tokens back for one request; together at most its charge. A reversal is one under a reference of its own. */
  | { readonly kind: 'refund'; readonly requestId: RequestId }
  /** One that lowers takes at most what is available. */
  | { readonly kind: 'correction'; readonly direction: 'raise' | 'lower' }
);

export type MoneyActOutcome =
  | { readonly outcome: 'booked' | 'repeated'; readonly balance: Balance }
  | { readonly outcome: 'no-such-account' | 'account-deleted' | 'reference-used-otherwise' | 'no-such-request' }
  /** `refundable` is what is left of the charge. */
  | { readonly outcome: 'exceeds-charge'; readonly refundable: ServiceTokens }
  | { readonly outcome: 'exceeds-balance'; readonly available: ServiceTokens };

/** The account that an act is booked against. */
export const COUNTER_ACCOUNTS = {
  'top-up': 'system:top-ups',
  'signup-credit': 'system:signup-credits',
  refund: 'system:revenue',
  correction: 'system:corrections',
  forfeiture: 'system:forfeitures',
} as const;

export function lowersBalance(act: MoneyAct): boolean {
  return act.kind === 'correction' && act.direction === 'lower';
}

/** What the references of reversals begin with; the id of the request follows. */
export const REVERSAL_PREFIX = 'reversal of ';

export function reversalReferenceOf(requestId: RequestId): string {
  return `${REVERSAL_PREFIX}${requestId}`;
}

/**
 * A refund that takes back a charge which was never due: beyond its receipt, or although its response was an error. It is of what is left of
 * the charge if that is less than its amount. Unlike a gift, it no longer counts as paid by its purchase, nor against the limit of its key.
 */
export function isReversal(act: MoneyAct): act is Extract<MoneyAct, { readonly kind: 'refund' }> {
  return act.kind === 'refund' && act.reference === reversalReferenceOf(act.requestId);
}

/** What is booked of an act, or why nothing is. */
export type DecidedAct =
  | { readonly act: MoneyAct; readonly refusal: null }
  | { readonly act: null; readonly refusal: MoneyActOutcome };

/** What is booked of a refund; `left` is what of the charge has not been given back, `null` if the account has no such request. */
export function decideRefund(act: MoneyAct, left: ServiceTokens | null): DecidedAct {
  if (left === null) return { act: null, refusal: { outcome: 'no-such-request' } };
  if (!left.isLessThan(act.amount)) return { act, refusal: null };
  return isReversal(act) && !left.isZero() ? { act: { ...act, amount: left }, refusal: null } : { act: null, refusal: { outcome: 'exceeds-charge', refundable: left } };
}

/** Whether two acts under one reference are the same one, sent twice. A reversal is, of whatever amount. */
export function sameAct(first: MoneyAct, second: MoneyAct): boolean {
  return first.kind === second.kind && (first.amount.equals(second.amount) || isReversal(first)) && lowersBalance(first) === lowersBalance(second)
    && refundedRequestOf(first) === refundedRequestOf(second);
}

export function refundedRequestOf(act: MoneyAct): RequestId | null {
  return act.kind === 'refund' ? act.requestId : null;
}

/** The part of a charge that is not refunded yet. */
export function refundableOf(charge: ServiceTokens, refunded: ServiceTokens): ServiceTokens {
  const left = charge.minus(refunded);
  return left.isNegative() ? ServiceTokens.ZERO : left;
}

export interface MoneyActRefusal {
  readonly code: 'not_found' | 'conflict';
  /** A sentence for operators, with the figures that decided. */
  readonly message: string;
}

/** Why an act was not booked; `null` when it was, now or before. */
export function moneyActRefusalOf(outcome: MoneyActOutcome, { accountId, reference }: Pick<MoneyAct, 'accountId' | 'reference'>): MoneyActRefusal | null {
  switch (outcome.outcome) {
    case 'booked': case 'repeated': return null;
    case 'no-such-account': return { code: 'not_found', message: `There is no account ${accountId}.` };
    case 'no-such-request': return { code: 'not_found', message: `Account ${accountId} has no such request, or it has not ended.` };
    case 'account-deleted': return { code: 'conflict', message: `Account ${accountId} is deleted.` };
    case 'reference-used-otherwise': return { code: 'conflict', message: `The reference ${reference} was used for something else; nothing is changed.` };
    case 'exceeds-charge':
      return { code: 'conflict', message: `At most ${outcome.refundable.toString()} service tokens can still be refunded of this request.` };
    case 'exceeds-balance':
      return { code: 'conflict', message: `Only ${outcome.available.toString()} service tokens are available; what is reserved cannot be taken.` };
    default: return assertNever(outcome);
  }
}
