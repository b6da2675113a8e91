import { describe, expect, it } from '@jest/globals';
import { compareWithReceipts, type PaidBooks, paidFrom, type Reply } from './paid-by-receipts.js';

const REPLY: Reply = { number: 1, isKeyed: false, requestId: 'req_1', status: 200, errorCode: null, delivered: 5, receipt: { units: 30n, isPending: false } };
const MOST = 50n;

function reply(differences: Partial<Reply> = {}): Reply {
  return { ...REPLY, ...differences };
}

/** Books of one account with one purchase, number 1. `paid` lists the requests of the purchase, and what was paid for each. */
function books(paid: Readonly<Record<string, bigint>>): PaidBooks {
  const sum = Object.values(paid).reduce((total, amount) => total + amount, 0n);
  return {
    requests: Object.entries(paid).map(([requestId, amount]) => ({ requestId, number: 1, paid: amount })),
    accounts: [{ account: 'acc_1', credited: 1000n, paid: sum, balance: 1000n - sum }],
  };
}

function violationsOf(replies: readonly Reply[], paid: Readonly<Record<string, bigint>>): readonly string[] {
  return compareWithReceipts(replies, books(paid), () => MOST).violations;
}

const pending = { units: 30n, isPending: true };
const unavailable = { status: 503, errorCode: 'service_unavailable', delivered: 0, receipt: null };
const cut = { delivered: 0, receipt: null };
const keyed = { isKeyed: true };
const successor = { isKeyed: true, requestId: 'req_2' };

describe('the payment of a customer', () => {
  it.each<[string, readonly Reply[], Readonly<Record<string, bigint>>]>([
    ['is what the receipt says', [reply()], { req_1: 30n }],
    ['is what a pending receipt says', [reply({ receipt: pending })], { req_1: 30n }],
    ['is less than a pending receipt says', [reply({ receipt: pending })], { req_1: 10n }],
    ['is nothing after an error status', [reply(unavailable)], { req_1: 0n }],
    ['is nothing for a refused request, which is not in the books', [reply({ ...unavailable, status: 402 })], {}],
    ['is nothing for an empty reply', [reply({ delivered: 0, receipt: { units: 0n, isPending: false } })], { req_1: 0n }],
    ['counts a replay once', [reply(keyed), reply(keyed)], { req_1: 30n }],
    ['is within the bound where the client was cut off', [reply(cut)], { req_1: 50n }],
    ['is within the bound where no headers arrived', [reply({ ...cut, requestId: null, status: null })], { req_1: 50n }],
    ['is within the bound after the error frame of an upstream', [reply({ ...cut, errorCode: 'provider_unavailable' })], { req_1: 20n }],
    ['is one price for a purchase taken over, paid in two parts', [reply({ ...keyed, receipt: { units: 10n, isPending: false } }), reply({ ...successor, receipt: { units: 20n, isPending: false } })], { req_1: 10n, req_2: 20n }],
    ['is one price for a purchase taken over, paid by the first', [reply(keyed), reply({ ...successor, receipt: { units: 0n, isPending: false } })], { req_1: 30n, req_2: 0n }],
  ])('%s', (_name, replies, paid) => {
    expect(violationsOf(replies, paid)).toEqual([]);
  });

  it.each<[string, readonly Reply[], Readonly<Record<string, bigint>>, readonly string[]]>([
    ['more than the receipt', [reply()], { req_1: 31n }, ['customer: request req_1 has a receipt of 30 and paid 31']],
    ['less than the receipt', [reply()], { req_1: 29n }, ['customer: request req_1 has a receipt of 30 and paid 29']],
    ['nothing for a receipt that is not in the books', [reply()], {}, ['customer: request req_1 has a receipt of 30 and paid 0', 'customer: number 1 received output to its end and paid nothing: no request']],
    ['more than a pending receipt', [reply({ receipt: pending })], { req_1: 31n }, ['customer: request req_1 has a pending receipt of 30 and paid 31']],
    ['something for an error status', [reply(unavailable)], { req_1: 30n }, ['customer: request req_1 was answered 503 service_unavailable and paid 30']],
    ['something for the error frame of the store', [reply({ ...unavailable, status: 200 })], { req_1: 30n }, ['customer: request req_1 was answered 200 service_unavailable and paid 30']],
    ['two amounts by two receipts of one request', [reply(keyed), reply({ ...keyed, receipt: { units: 31n, isPending: false } })], { req_1: 30n }, ['customer: request req_1 has receipts of 30 and 31']],
    ['a purchase twice', [reply(keyed), reply(successor)], { req_1: 30n, req_2: 30n }, ['customer: the requests of number 1 paid 60 together, of at most 50: req_1 (30), req_2 (30)']],
    ['more than the bound where the client was cut off', [reply(cut)], { req_1: 51n }, ['customer: the requests of number 1 paid 51 together, of at most 50: req_1 (51)']],
    ['nothing for output under a receipt of nothing', [reply({ receipt: { units: 0n, isPending: false } })], { req_1: 0n }, ['customer: number 1 received output to its end and holds no receipt above zero: req_1 (0)']],
    ['nothing for output under a pending receipt', [reply({ receipt: pending })], { req_1: 0n }, ['customer: number 1 received output to its end and paid nothing: req_1 (0)']],
    ['nothing for output under a pending receipt that is not in the books', [reply({ receipt: pending })], {}, ['customer: number 1 received output to its end and paid nothing: no request']],
    ['something for output without a receipt', [reply({ receipt: null })], { req_1: 30n }, ['customer: number 1 received output to its end and holds no receipt for it: req_1 (30)']],
    ['for a request that no client sent', [], { req_1: 30n }, ['customer: req_1 (30) of number 1 was sent by no client']],
    ['for a request that was sent once and booked twice', [reply({ receipt: { units: 20n, isPending: false } })], { req_1: 20n, req_2: 20n }, ['customer: number 1 was sent once and is in the books as req_1 (20), req_2 (20)']],
  ])('is wrong: %s', (_name, replies, paid, violations) => {
    expect(violationsOf(replies, paid)).toEqual(violations);
  });

  it('is wrong if the balance of the account is not its credit less its payments', () => {
    const wrong = { requests: [], accounts: [{ account: 'acc_1', credited: 1000n, paid: 0n, balance: 999n }] };
    expect(compareWithReceipts([], wrong, () => MOST).violations).toEqual(['customer: account acc_1 was credited 1000, paid 0 and has 999']);
  });

  it('is listed if it has no receipt, and counted if its receipt is pending', () => {
    const replies = [reply(), reply({ number: 2, requestId: 'req_2', ...cut }), reply({ number: 3, requestId: 'req_3', receipt: pending }), reply({ number: 4, requestId: 'req_4', ...unavailable })];
    const found = compareWithReceipts(replies, paidFrom([[['req_1', '1', '30'], ['req_2', '2', '20'], ['req_3', '3', '25']], [['acc_1', '100', '75', '25']]]), () => MOST);
    expect(found).toEqual({
      violations: [], receipts: 2, pendingReceipts: 1, freeReplies: 1, cutCharges: [{ requestId: 'req_2', number: 2, paid: 20n }], bookedLess: 5n,
    });
  });
});
