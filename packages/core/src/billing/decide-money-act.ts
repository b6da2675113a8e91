import { refuseField } from '../errors/field-fault.js';
import { GatewayError } from '../errors/gateway-error.js';
import { ServiceTokens, smallerOf } from '../money/service-tokens.js';
import type { AccountId, ApiKeyId, RequestId } from '../primitives/ids.js';
import { invariant } from '../primitives/invariant.js';
import type { Instant } from '../primitives/time.js';
import { availableOf, type Balance, MAX_BALANCE } from './balance.js';
import type { BookedAct } from './booked.js';
import { creditExpiryOfAct, isClipped, isReversal, lowersBalance, type MoneyAct, type MoneyActKind, type MoneyActOutcome, refundedRequestOf } from './money-act.js';
import { forfeitureReferenceOf, hasForeignReference } from './reserved-references.js';

export interface StoredAct {
  readonly kind: MoneyActKind;
  /** Negative if the act lowered the balance. */
  readonly amount: ServiceTokens;
  readonly requestId: RequestId | null;
  /** Expiry of a credit; `null` for other acts, and for a credit that does not expire. */
  readonly expiresAt: Instant | null;
}

/** An ended request of the account. */
export interface RefundableRequest {
  readonly keyId: ApiKeyId | null;
  /** Includes any late charge. */
  readonly charge: ServiceTokens;
  readonly refunded: ServiceTokens;
}

/** Read under the same lock as the booking. */
export interface MoneyActFacts {
  /** `null` if the account does not exist. */
  readonly account: { readonly balance: Balance; readonly isDeleted: boolean } | null;
  /** Act of the account with the same reference; `null` if there is none. */
  readonly earlier: StoredAct | null;
  /** `null` unless the act is a refund of a request of the account. */
  readonly request: RefundableRequest | null;
}

/**
 * `act` may be clipped; `uncovered` is the part of the given amount that the balance could not cover. If `act` is `null`, no entry is written and
 * `outcome` says why.
 */
export type MoneyActDecision =
  | { readonly act: MoneyAct; readonly booked: BookedAct; readonly uncovered: ServiceTokens }
  | { readonly act: null; readonly outcome: MoneyActOutcome };

function answer(outcome: MoneyActOutcome): MoneyActDecision {
  return { act: null, outcome };
}

function signedAmountOf(act: MoneyAct): ServiceTokens {
  return lowersBalance(act) ? ServiceTokens.ZERO.minus(act.amount) : act.amount;
}

/** A repeated reversal or clipped act may have another amount than the stored one. */
function isRepetition({ kind, amount, requestId, expiresAt }: StoredAct, act: MoneyAct): boolean {
  if (kind !== act.kind || requestId !== refundedRequestOf(act) || expiresAt !== creditExpiryOfAct(act)) return false;
  return amount.equals(signedAmountOf(act)) || isReversal(act) || (isClipped(act) && amount.isNegative());
}

/** Clips a reversal to the unrefunded charge. */
function decideRefund(act: MoneyAct, request: RefundableRequest | null): MoneyAct | MoneyActOutcome {
  if (request === null) return { outcome: 'no-such-request' };
  const left = request.charge.minus(request.refunded);
  if (!left.isLessThan(act.amount)) return act;
  const refundable = left.isNegative() ? ServiceTokens.ZERO : left;
  return isReversal(act) && !refundable.isZero() ? { ...act, amount: refundable } : { outcome: 'exceeds-charge', refundable };
}

/** If an act would take more than the available amount, refuses a correction and clips any other act. */
function decideLowering(act: MoneyAct, available: ServiceTokens): MoneyAct | MoneyActOutcome {
  if (!lowersBalance(act) || !available.isLessThan(act.amount)) return act;
  if (!isClipped(act)) return { outcome: 'exceeds-balance', available };
  return available.isZero() ? { outcome: 'nothing-available', uncovered: act.amount } : { ...act, amount: smallerOf(act.amount, available) };
}

function requireFutureExpiry(act: MoneyAct): void {
  const expiresAt = creditExpiryOfAct(act);
  if (expiresAt !== null && expiresAt <= act.at) throw refuseField('expires_at', 'must be in the future', { code: 'not_in_future' });
}

/** Throws `invalid_request` if the expiry of a new credit is not in the future, or the balance would exceed `MAX_BALANCE`. */
export function decideMoneyAct(given: MoneyAct, { account, earlier, request }: MoneyActFacts): MoneyActDecision {
  invariant(ServiceTokens.ZERO.isLessThan(given.amount), 'the amount of a money act is more than zero');
  if (account === null) return answer({ outcome: 'no-such-account' });
  const { balance, isDeleted } = account;
  if (earlier !== null) return answer(isRepetition(earlier, given) ? { outcome: 'repeated', balance } : { outcome: 'reference-used-otherwise' });
  if (hasForeignReference(given)) return answer({ outcome: 'reference-used-otherwise' });
  if (isDeleted) return answer({ outcome: 'account-deleted' });
  requireFutureExpiry(given);
  const available = availableOf(balance);
  const decided = given.kind === 'refund' ? decideRefund(given, request) : decideLowering(given, available);
  if ('outcome' in decided) return answer(decided);
  const amount = signedAmountOf(decided);
  const posted = balance.posted.plus(amount);
  if (!lowersBalance(decided) && MAX_BALANCE.isLessThan(posted)) {
    throw new GatewayError('invalid_request', `The balance would exceed the maximum of ${MAX_BALANCE.toString()} service tokens.`);
  }
  const { kind, accountId, reference, at } = decided;
  return {
    act: decided, uncovered: isClipped(given) ? given.amount.minus(decided.amount) : ServiceTokens.ZERO,
    booked: {
      kind, accountId, keyId: request?.keyId ?? null, requestId: refundedRequestOf(decided), reference, amount,
      balance: { posted, reserved: balance.reserved }, at, served: null,
    },
  };
}

export interface DeletedAccount {
  readonly accountId: AccountId;
  readonly balance: Balance;
  readonly at: Instant;
}

export type ForfeitureDecision =
  /** `booked` is `null` if the balance was zero. */
  | { readonly outcome: 'forfeited'; readonly forfeited: ServiceTokens; readonly booked: BookedAct | null }
  | { readonly outcome: 'requests-running' };

/** Takes the whole balance; refused while the account has reservations. */
export function decideForfeiture({ accountId, balance: { posted, reserved }, at }: DeletedAccount): ForfeitureDecision {
  if (!reserved.isZero()) return { outcome: 'requests-running' };
  if (posted.isZero()) return { outcome: 'forfeited', forfeited: posted, booked: null };
  return {
    outcome: 'forfeited', forfeited: posted,
    booked: {
      kind: 'forfeiture', accountId, keyId: null, requestId: null, reference: forfeitureReferenceOf(accountId), amount: ServiceTokens.ZERO.minus(posted),
      balance: { posted: ServiceTokens.ZERO, reserved }, at, served: null,
    },
  };
}
