import { describe, expect, it } from '@jest/globals';
import { bookedFrom, brokenReceipts, lostCredits } from './acknowledged-money.js';

describe('acknowledged money', () => {
  const booked = bookedFrom([[['req_1', '1500000']], [['req_1', '1500000'], ['req_2', '5']], [['ref_1', '3000000']]]);

  it.each([
    ['is borne out', 'req_1', '1.5', []],
    ['is another amount', 'req_1', '1.6', ['I9: request req_1 was told 1600000, the ledger says 1500000, its record 1500000']],
    ['is recorded and not in the ledger', 'req_2', '0.000005', ['I9: request req_2 was told 5, the ledger says 0, its record 5']],
    ['is nowhere', 'req_3', '1', ['I9: request req_3 was told 1000000, the ledger says 0, its record nothing']],
  ])('a receipt that %s', (_name, requestId, debited, violations) => {
    expect(brokenReceipts([{ requestId, debited, isPending: false }], booked)).toEqual(violations);
  });

  it.each([
    ['is there', 'ref_1', '3', []],
    ['is another amount', 'ref_1', '4', ['P4: credit ref_1 of 4 is in the ledger as 3000000']],
    ['is lost', 'ref_2', '3', ['P4: credit ref_2 of 3 is in the ledger as nothing']],
  ])('a credit that %s', (_name, reference, amount, violations) => {
    expect(lostCredits([{ reference, amount }], booked)).toEqual(violations);
  });
});

it('a pending receipt is compared at rest', () => {
  expect(brokenReceipts([{ requestId: 'req_3', debited: '1', isPending: true }], bookedFrom([[], [], []]))).toEqual([]);
});
