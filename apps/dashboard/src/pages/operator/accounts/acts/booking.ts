import { amountOf, dollars, exactAmount, isZero, microUnits, typedAmount } from '../../../../format/amount';
import { product } from '../../../../format/price';

/** A money act. `raise` and `lower` are the two directions of a correction. */
export type BookedKind = 'credit' | 'refund' | 'raise' | 'lower';

export interface Afterwards {
  /** Available balance after the booking; exact. */
  readonly available: string;
  readonly isBelowZero: boolean;
}

/** Balance after a booking; `null` while the amount is invalid. */
export function afterBooking(available: string, typed: string, kind: BookedKind): Afterwards | null {
  const amount = typedAmount(typed);
  if (amount === null || amount.startsWith('-') || isZero(amount)) return null;
  const units = microUnits(available) + (kind === 'lower' ? -microUnits(amount) : microUnits(amount));
  return { available: amountOf(units), isBelowZero: units < 0n };
}

/** Exact dollars that service tokens are worth; `rate`: dollars for one. */
export function worthOf(tokens: string, rate: string): string {
  return tokens.startsWith('-') ? `-${product(tokens.slice(1), rate)}` : product(tokens, rate);
}

/** The exact amount: in dollars, or in service tokens while their worth is unknown. */
export function amountIn(tokens: string, rate: string | undefined): string {
  return rate === undefined ? exactAmount(tokens) : dollars(worthOf(tokens, rate));
}

/** Reference offered for the refund of a request, so that repeating the refund changes nothing. */
export function refundReference(requestId: string): string {
  return isRequestId(requestId) ? `refund of ${requestId.trim()}` : '';
}

/** True if the typed text has the form of a request id. */
export function isRequestId(text: string): boolean {
  return /^req_\w+$/.test(text.trim());
}

/** True for equal values: `1.0` equals `1`. */
export function isSameAmount(first: string, second: string): boolean {
  const [one, other] = [typedAmount(first), typedAmount(second)];
  return one !== null && other !== null && microUnits(one) === microUnits(other);
}

/** Fields of an audit entry that identify a booking. */
interface BookingEntry {
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const ACTIONS = ['account.credited', 'account.refund', 'account.correction'];

export function bookingWith<Entry extends BookingEntry>(reference: string, entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ action, details }) => ACTIONS.includes(action) && details['reference'] === reference);
}
