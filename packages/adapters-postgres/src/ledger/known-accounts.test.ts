import { describe, expect, it } from '@jest/globals';
import type { ReservationId } from '@tollgate/core';
import { KnownAccounts } from './known-accounts.js';

function reservation(number: number): ReservationId {
  return `reservation-${number}` as ReservationId;
}

describe('the accounts known for a reservation', () => {
  it('are all accounts that requested it, each once', () => {
    const known = new KnownAccounts();
    for (const account of ['alice', 'bob', 'alice']) known.note(reservation(1), account);
    expect([known.of(reservation(1)), known.of(reservation(2))]).toEqual([['alice', 'bob'], []]);
  });

  it('are forgotten when it ends', () => {
    const known = new KnownAccounts();
    known.note(reservation(1), 'alice');
    known.note(reservation(2), 'alice');
    known.forget(reservation(1));
    expect([known.of(reservation(1)), known.of(reservation(2))]).toEqual([[], ['alice']]);
  });

  it('are remembered for at least the last 10,000 reservations, and for at most 20,000', () => {
    const known = new KnownAccounts();
    for (let number = 1; number <= 45_000; number += 1) known.note(reservation(number), 'alice');
    const numbers = Array.from({ length: 45_000 }, (_, index) => index + 1);
    const still = numbers.filter((number) => known.of(reservation(number)).length > 0);
    expect(still.slice(-10_000)).toEqual(numbers.slice(-10_000));
    expect(still.length).toBeLessThanOrEqual(20_000);
  });

  it('are forgotten when it ends, even if many later reservations were made meanwhile', () => {
    const known = new KnownAccounts();
    for (let number = 1; number <= 10_001; number += 1) known.note(reservation(number), 'alice');
    expect(known.of(reservation(1))).toEqual(['alice']);
    known.forget(reservation(1));
    expect(known.of(reservation(1))).toEqual([]);
  });
});
