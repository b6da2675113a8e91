import type { Row } from '../books/database-view.js';

/** Queries for the payments, and for what the ledger booked for each. */
export const PAYMENT_QUERIES = [
  'select id, state, tokens from payments',
  "select reference, count(*), sum(amount) from ledger_entries where kind = 'payment' group by reference",
] as const;

/** The replies that buyers got from the provider, by payment. */
export type Acknowledged = ReadonlyMap<string, 'paid' | 'declined'>;

/** Payments that are paid but not booked exactly once, or booked without being paid. */
export function wrongPayments(acknowledged: Acknowledged, [payments = [], bookings = []]: readonly (readonly Row[])[]): readonly string[] {
  const booked = new Map(bookings.map(([reference, count, units]) => [reference, `${count} × ${units}`]));
  const states = new Map(payments.map(([id, state]) => [id, state]));
  const wrong = payments.flatMap(([id, state, tokens]) => {
    const [expected, found] = [state === 'paid' ? `1 × ${tokens}` : 'nothing', booked.get(`sandbox:${id}`) ?? 'nothing'];
    return found === expected ? [] : [`payment ${id} is ${state}; the ledger has ${found}, not ${expected}`];
  });
  return [...wrong, ...[...acknowledged].flatMap(([id, told]) => {
    const [expected, state] = [told === 'paid' ? 'paid' : 'failed', states.get(id) ?? 'unknown'];
    return state === expected ? [] : [`payment ${id} was ${told} at the provider and is ${state}`];
  })];
}
