import { type Instant, later, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../primitives/time.js';
import type { Payment, PaymentState } from './payment.js';

const SHORTEST = MILLISECONDS_PER_MINUTE;
const LONGEST = 7 * MILLISECONDS_PER_DAY;
/** Intervals grow with the age, so that a payment is asked about some 60 times in half a year. */
const SHARE_OF_AGE = 4;
/** Banks let customers dispute a payment for up to 120 days; an opened dispute takes weeks. */
const WATCHED = 180 * MILLISECONDS_PER_DAY;
/** A checkout that failed or expired may still be paid by a slow method. */
const WATCHED_UNPAID = 14 * MILLISECONDS_PER_DAY;
const UNPAID: readonly PaymentState[] = ['failed', 'expired'];

/** When the provider is asked about a payment again without a notification; `null` for never. */
export function nextCheckAt({ state, problem, createdAt }: Pick<Payment, 'state' | 'problem' | 'createdAt'>, now: Instant): Instant | null {
  const age = Math.max(0, now - createdAt);
  // Tokens are owed, or may be.
  const isWaiting = state === 'disputed' || problem === 'maximum-balance';
  if (!isWaiting && age >= (UNPAID.includes(state) ? WATCHED_UNPAID : WATCHED)) return null;
  return later(now, Math.min(LONGEST, Math.max(SHORTEST, Math.floor(age / SHARE_OF_AGE))));
}
