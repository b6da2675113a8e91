import { describe, expect, it } from '@jest/globals';
import type { Row } from '../books/database-view.js';
import { type Acknowledged, wrongPayments } from './payment-books.js';

const TOLD: Acknowledged = new Map([['pay_a', 'paid'], ['pay_b', 'declined']]);
const PAYMENTS: readonly Row[] = [['pay_a', 'paid', '5000'], ['pay_b', 'failed', '5000'], ['pay_c', 'open', '5000']];
const BOOKINGS: readonly Row[] = [['sandbox:pay_a', '1', '5000']];

describe('the comparison of what buyers were told with the payments and the ledger', () => {
  it('finds nothing if each payment is booked once or not at all', () => {
    expect(wrongPayments(TOLD, [PAYMENTS, BOOKINGS])).toEqual([]);
  });

  it.each<readonly [string, readonly (readonly Row[])[], string]>([
    ['a payment that was booked twice', [PAYMENTS, [['sandbox:pay_a', '2', '10000']]], '2 × 10000, not 1 × 5000'],
    ['a payment that was not booked', [PAYMENTS, []], 'the ledger has nothing'],
    ['a booking of another amount', [PAYMENTS, [['sandbox:pay_a', '1', '4999']]], '1 × 4999, not 1 × 5000'],
    ['a booking that nobody paid for', [PAYMENTS, [...BOOKINGS, ['sandbox:pay_c', '1', '5000']]], 'pay_c is open'],
    ['a paid payment that stayed open', [[['pay_a', 'open', '5000'], ...PAYMENTS.slice(1)], []], 'was paid at the provider and is open'],
    ['a payment that was lost', [PAYMENTS.slice(0, 1), BOOKINGS], 'was declined at the provider and is unknown'],
  ])('finds %s', (_fault, found, text) => {
    expect(wrongPayments(TOLD, found)).toEqual([expect.stringContaining(text)]);
  });
});
