import type { CreditOffer } from '../models/credit-offer.js';
import type { NewEvent } from '../events/account-event.js';
import { currencyDecimal } from '../money/currency.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId } from '../primitives/ids.js';
import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, rfc3339, startOfNextUtcDay, startOfNextUtcMonth } from '../primitives/time.js';
import type { AutomaticTopUp, TopUpCharges, TopUpSettings, TopUpStop, TopUpWait } from './automatic-top-up.js';
import { type CreditPurchase, purchaseIn } from './credit-purchase.js';
import type { Payment } from './payment.js';
import type { PaymentStep } from './decide-payment.js';
import { REQUEST_REPEATED_MILLISECONDS } from './payment-provider.js';

/** A customer at the provider, and the method that may be charged. */
export interface SavedMethod {
  readonly customer: string;
  readonly method: string;
}

/** Read under the lock of the account. */
export interface TopUpFacts {
  readonly topUp: AutomaticTopUp;
  /** The posted balance. */
  readonly balance: ServiceTokens;
  /** False while the account is suspended, blocked, unverified or about to be deleted. */
  readonly isServed: boolean;
  readonly openCharge: Payment | null;
  readonly charges: TopUpCharges;
  readonly method: SavedMethod | null;
  readonly offer: CreditOffer;
  /** Id of the provider in use. */
  readonly provider: string;
}

export type TopUpDecision =
  /** No charge is due any more. */
  | { readonly decision: 'done' }
  | { readonly decision: 'wait'; readonly waitsFor: TopUpWait; readonly until: Instant }
  | { readonly decision: 'stop'; readonly reason: TopUpStop }
  | { readonly decision: 'charge'; readonly purchase: CreditPurchase; readonly method: SavedMethod }
  /** The request to the provider was interrupted and is repeated under the id of the payment. */
  | { readonly decision: 'repeat'; readonly payment: Payment; readonly method: SavedMethod }
  /** The interrupted request can no longer be repeated. */
  | { readonly decision: 'give-up'; readonly payment: Payment };

/** Time until the next check. The report of a charge makes its account due at once, so these times matter only for waits that no report ends. */
const CHARGE_WAIT = 10 * MILLISECONDS_PER_MINUTE;
const ACCOUNT_WAIT = MILLISECONDS_PER_HOUR;

/** What to do for an account that is due. */
export function decideTopUp(facts: TopUpFacts, now: Instant): TopUpDecision {
  const { topUp: { settings, isEnabled }, balance, isServed, openCharge, method, offer } = facts;
  if (openCharge !== null) return decideOpenCharge(openCharge, facts.provider, now);
  if (!isEnabled || !balance.isLessThan(settings.threshold)) return { decision: 'done' };
  if (!isServed) return { decision: 'wait', waitsFor: 'account', until: later(now, ACCOUNT_WAIT) };
  const purchase = agreedPurchase(settings, offer);
  if (purchase === null) return { decision: 'stop', reason: 'not-for-sale' };
  if (purchase.tokens.isLessThan(settings.tokens)) return { decision: 'stop', reason: 'fewer-tokens' };
  if (method === null) return { decision: 'stop', reason: 'no-method' };
  return boundReached(facts, now) ?? { decision: 'charge', purchase, method };
}

function decideOpenCharge(payment: Payment, provider: string, now: Instant): TopUpDecision {
  const { customer, method, reference, createdAt, url } = payment;
  if (reference !== null || payment.provider !== provider) {
    return { decision: 'wait', waitsFor: url === null ? 'charge' : 'authentication', until: later(now, CHARGE_WAIT) };
  }
  if (customer === null || method === null || later(createdAt, REQUEST_REPEATED_MILLISECONDS) <= now) return { decision: 'give-up', payment };
  return { decision: 'repeat', payment, method: { customer, method } };
}

/** The wait if a bound that the owner set is reached; `null` if one more charge is possible. */
function boundReached({ topUp: { settings: { maxPerDay, monthlyAmount, amount } }, charges }: TopUpFacts, now: Instant): TopUpDecision | null {
  if (charges.thisMonth + amount > monthlyAmount) return { decision: 'wait', waitsFor: 'monthly-amount', until: startOfNextUtcMonth(now) };
  if (charges.today >= maxPerDay) return { decision: 'wait', waitsFor: 'daily-charges', until: startOfNextUtcDay(now) };
  return null;
}

/** `null` if the credit is not for sale at the price that the owner agreed to. */
function agreedPurchase({ packageId, amount, currency }: TopUpSettings, offer: CreditOffer): CreditPurchase | null {
  const purchase = purchaseIn(packageId === null ? { amount: currencyDecimal({ amount, currency }) } : { packageId }, offer);
  return purchase?.amount === amount && purchase.currency === currency ? purchase : null;
}

/** Effect of a payment's steps on automatic top-up. */
export type TopUpProgress =
  | { readonly progress: 'look-again' }
  | { readonly progress: 'declined'; readonly declines: number; readonly until: Instant }
  | { readonly progress: 'stop'; readonly reason: TopUpStop };

const MAX_DECLINES = 3;
/** Waits after the first and the second decline in a row. */
const DECLINE_WAITS = [MILLISECONDS_PER_HOUR, MILLISECONDS_PER_DAY] as const;

/**
 * A refund or dispute of any payment of the account stops automatic top-up, because the customer wants the money back. An authentication that expires
 * counts as declined. `null` if the steps do not affect automatic top-up.
 */
export function progressAfter(steps: readonly PaymentStep['step'][], { origin, declines }: Pick<Payment, 'origin'> & Pick<AutomaticTopUp, 'declines'>, at: Instant): TopUpProgress | null {
  if (steps.includes('disputed')) return { progress: 'stop', reason: 'disputed' };
  if (steps.includes('refunded')) return { progress: 'stop', reason: 'refunded' };
  if (origin !== 'top-up') return null;
  if (steps.includes('unbookable')) return { progress: 'stop', reason: 'unbookable' };
  if (steps.includes('paid')) return { progress: 'look-again' };
  return steps.includes('failed') || steps.includes('expired') ? afterDecline(declines + 1, at) : null;
}

function afterDecline(declines: number, at: Instant): TopUpProgress {
  const wait = DECLINE_WAITS[declines - 1];
  return declines >= MAX_DECLINES || wait === undefined ? { progress: 'stop', reason: 'declined' } : { progress: 'declined', declines, until: later(at, wait) };
}

interface TopUpSource {
  readonly accountId: AccountId;
  /** Payment that the event concerns; `null` for none. */
  readonly paymentId: Payment['id'] | null;
  readonly at: Instant;
}

export function topUpDeclinedEvent({ accountId, paymentId, at }: TopUpSource, { declines, until }: Extract<TopUpProgress, { progress: 'declined' }>): NewEvent {
  return { type: 'automatic_top_up.declined', accountId, at, data: { payment_id: paymentId, declines, next_try_at: rfc3339(until) } };
}

export function topUpAuthenticationEvent({ accountId, paymentId, at }: TopUpSource): NewEvent {
  return { type: 'automatic_top_up.authentication_needed', accountId, at, data: { payment_id: paymentId } };
}

export function topUpStoppedEvent({ accountId, paymentId, at }: TopUpSource, reason: TopUpStop): NewEvent {
  return { type: 'automatic_top_up.stopped', accountId, at, data: { reason, payment_id: paymentId } };
}
