import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../primitives/time.js';
import type { Payment, PaymentState } from './payment.js';

const SHORTEST = MILLISECONDS_PER_MINUTE;
const LONGEST = 7 * MILLISECONDS_PER_DAY;
/** The check interval is the payment's age divided by this number, so the provider is asked about a payment some 70 times in half a year. */
const SHARE_OF_AGE = 4;
/** Age up to which a payment is checked: banks let customers dispute it for up to 120 days, and an opened dispute takes weeks. */
const WATCHED = 180 * MILLISECONDS_PER_DAY;
/** Age up to which a failed or expired checkout is checked, because a slow method may still pay it. */
const WATCHED_UNPAID = 14 * MILLISECONDS_PER_DAY;
const UNPAID: readonly PaymentState[] = ['failed', 'expired'];

export interface CheckedPayment extends Pick<Payment, 'state' | 'problem' | 'createdAt'> {
  /** True if an operator has requested a refund that no report contains yet. */
  readonly awaitsRefund?: boolean;
}

/** When the provider is next asked about the payment if no notification arrives; `null` for never. */
export function nextCheckAt({ state, problem, createdAt, awaitsRefund = false }: CheckedPayment, now: Instant): Instant | null {
  const age = Math.max(0, now - createdAt);
  // Tokens may wait for room in the balance, be returned when a dispute is won, or be taken when a requested refund is completed.
  const isWaiting = state === 'disputed' || problem === 'maximum-balance' || awaitsRefund;
  if (!isWaiting && age >= (UNPAID.includes(state) ? WATCHED_UNPAID : WATCHED)) return null;
  return later(now, Math.min(LONGEST, Math.max(SHORTEST, Math.floor(age / SHARE_OF_AGE))));
}
