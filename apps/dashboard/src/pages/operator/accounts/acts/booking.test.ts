import { describe, expect, it } from '@jest/globals';
import { afterBooking, amountIn, bookingWith, isSameAmount, refundReference } from './booking.js';

describe('the balance after a booking', () => {
  it('is exact, whatever the size', () => {
    expect(afterBooking('9007199254740993.000001', '0.000009', 'credit')).toEqual({ available: '9007199254740993.00001', isBelowZero: false });
    expect(afterBooking('998412.640118', '500', 'refund')).toEqual({ available: '998912.640118', isBelowZero: false });
    expect(afterBooking('0.3', '0.1', 'raise')).toEqual({ available: '0.4', isBelowZero: false });
  });

  it('decreases after a lowering correction, and is marked if it is below zero', () => {
    expect(afterBooking('12.5', '12.5', 'lower')).toEqual({ available: '0', isBelowZero: false });
    expect(afterBooking('12.5', '12.500001', 'lower')).toEqual({ available: '-0.000001', isBelowZero: true });
  });

  it.each(['', 'ten', '0', '-5', '0.0000001'])('is unknown until a valid amount is typed: %p', (typed) => expect(afterBooking('1', typed, 'credit')).toBeNull());
});

describe('an amount that is typed twice', () => {
  it('matches itself in another notation, and matches no other amount', () => {
    expect([isSameAmount('1,000.50', '1000.5'), isSameAmount('1', '1.000001'), isSameAmount('1', ''), isSameAmount('', '')]).toEqual([true, false, false, false]);
  });
});

describe('the audit entry of a booking', () => {
  const entries = [
    { action: 'account.changed', details: { reference: 'a' } }, { action: 'account.refund', details: { reference: 'b' } }, { action: 'account.credited', details: { reference: 'a' } },
  ];
  it('is found by its reference among the acts of money', () => {
    expect([bookingWith('a', entries), bookingWith('b', entries), bookingWith('c', entries)]).toEqual([entries[2], entries[1], undefined]);
  });
});

it('a booked amount is shown exactly in dollars, or in service tokens while their worth is unknown', () => {
  expect([amountIn('50000', '0.001'), amountIn('-0.01', '0.001'), amountIn('50000', undefined)]).toEqual(['$50.00', '−$0.00001', '50,000']);
});

it('the suggested reference of a refund names the request id if the id is well formed', () => {
  expect(['req_1', ' req_1 ', '', 'req_', 'aster'].map(refundReference)).toEqual(['refund of req_1', 'refund of req_1', '', '', '']);
});
