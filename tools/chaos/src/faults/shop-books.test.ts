import { describe, expect, it } from '@jest/globals';
import type { ShopBooks } from '@tollgate/kit';
import type { Row } from '../books/database-view.js';
import { wrongBooks } from './shop-books.js';

const BOOKS: ShopBooks = {
  customers: { 1: { status: 'done' } }, unanswered: [],
  orders: { 7: { customer: '1', svc_tokens: '3.000001', status: 'done' } },
  accounts: { acct_a: { customer: '1', sequence: 4, balance: '2.5' } },
};
const BALANCES: readonly Row[] = [['acct_a', '2500000']];
const SEQUENCES: readonly Row[] = [['acct_a', '4', '4', '1', '4']];
const CREDITS: readonly Row[] = [['order-7', '1', '3000001']];

describe('the comparison of a shop’s books with the database', () => {
  it('finds nothing if both agree', () => {
    expect(wrongBooks(BOOKS, [BALANCES, SEQUENCES, CREDITS])).toEqual([]);
  });

  it.each<readonly [string, readonly (readonly Row[])[], string]>([
    ['another balance', [[['acct_a', '2500001']], SEQUENCES, CREDITS], '2.500001 service tokens, the shop says 2.5'],
    ['an account that the shop does not know', [[...BALANCES, ['acct_b', '0']], SEQUENCES, CREDITS], 'the shop says nothing'],
    ['an event that the shop missed', [BALANCES, [['acct_a', '5', '5', '1', '5']], CREDITS], 'the shop has entered 4'],
    ['a gap', [BALANCES, [['acct_a', '3', '3', '1', '4']], CREDITS], '3 events with 3 numbers from 1 to 4'],
    ['a number that came twice', [BALANCES, [['acct_a', '4', '3', '1', '4']], CREDITS], '4 events with 3 numbers'],
    ['an order that was lost', [BALANCES, SEQUENCES, []], 'the ledger has nothing'],
    ['an order that was booked twice', [BALANCES, SEQUENCES, [['order-7', '2', '6000002']]], '2 × 6000002, not 1 × 3000001'],
  ])('finds %s', (_fault, found, text) => {
    expect(wrongBooks(BOOKS, found)).toEqual([expect.stringContaining(text)]);
  });
});
