import { describe, expect, it } from '@jest/globals';
import { bookedFrom, brokenReceipts, lostCredits } from './acknowledged-money.js';

describe('acknowledged money', () => {
  const booked = bookedFrom([[['req_1', '1500000']], [['req_1', '1500000'], ['req_2', '5']], [['ref_1', '3000000']]]);

  it.each([
    ['agrees with the ledger', 'req_1', '1.5', []],
    ['differs from the ledger', 'req_1', '1.6', ['I9: request req_1 was told 1600000, the ledger says 1500000, its record 1500000']],
    ['is in a usage record but not in the ledger', 'req_2', '0.000005', ['I9: request req_2 was told 5, the ledger says 0, its record 5']],
    ['is neither in a usage record nor in the ledger', 'req_3', '1', ['I9: request req_3 was told 1000000, the ledger says 0, its record nothing']],
  ])('is checked for a receipt that %s', (_name, requestId, debited, violations) => {
    expect(brokenReceipts([{ requestId, debited, isPending: false }], booked)).toEqual(violations);
  });

  it.each([
    ['is in the ledger', 'ref_1', '3', []],
    ['differs from the ledger', 'ref_1', '4', ['P4: credit ref_1 of 4 is in the ledger as 3000000']],
    ['is not in the ledger', 'ref_2', '3', ['P4: credit ref_2 of 3 is in the ledger as nothing']],
  ])('is checked for a credit that %s', (_name, reference, amount, violations) => {
    expect(lostCredits([{ reference, amount }], booked)).toEqual(violations);
  });
});

it('a pending receipt is not compared with the ledger before its settlement is booked', () => {
  expect(brokenReceipts([{ requestId: 'req_3', debited: '1', isPending: true }], bookedFrom([[], [], []]))).toEqual([]);
});
