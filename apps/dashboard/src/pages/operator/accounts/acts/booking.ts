import { amountOf, isZero, microUnits, typedAmount } from '../../../../format/amount';

/** What an operator books: an act of money and, of a correction, its direction. */
export type BookedKind = 'credit' | 'refund' | 'raise' | 'lower';

export interface Afterwards {
  /** What is available after the booking; exact. */
  readonly available: string;
  readonly isBelowZero: boolean;
}

/** The available balance after a booking; `null` while what is typed is no amount above zero. */
export function afterBooking(available: string, typed: string, kind: BookedKind): Afterwards | null {
  const amount = typedAmount(typed);
  if (amount === null || amount.startsWith('-') || isZero(amount)) return null;
  const units = microUnits(available) + (kind === 'lower' ? -microUnits(amount) : microUnits(amount));
  return { available: amountOf(units), isBelowZero: units < 0n };
}

/** Whether two typed amounts are the same one, however they are written. */
export function isSameAmount(first: string, second: string): boolean {
  const [one, other] = [typedAmount(first), typedAmount(second)];
  return one !== null && other !== null && microUnits(one) === microUnits(other);
}

/** An entry of the audit trail as far as it names a booking. */
interface BookingEntry {
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const ACTIONS = ['account.credited', 'account.refund', 'account.correction'];

/** The entry of the booking that has a reference. */
export function bookingWith<Entry extends BookingEntry>(reference: string, entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ action, details }) => ACTIONS.includes(action) && details['reference'] === reference);
}
