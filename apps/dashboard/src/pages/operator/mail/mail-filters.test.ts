import { expect, it } from '@jest/globals';
import { KINDS, mailQuery, STATES } from './mail-filters.js';

it('the list of mail sends the gateway the filters in the URL', () => {
  expect(mailQuery({ q: 'ada', state: 'given-up', kind: 'reset-password', account: 'acct_1' })).toEqual({ q: 'ada', state: 'given-up', kind: 'reset-password', account: 'acct_1' });
  expect([STATES.length, KINDS.length]).toEqual([3, 27]);
});

it('the list of mail ignores filters that the gateway would refuse', () => {
  expect(mailQuery({ state: 'lost', kind: 'toString', account: 'ada@example.com' })).toEqual({});
});
