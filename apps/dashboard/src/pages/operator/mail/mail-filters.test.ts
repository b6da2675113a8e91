import { expect, it } from '@jest/globals';
import { KINDS, mailQuery, STATES } from './mail-filters.js';

it('asks for what the address names', () => {
  expect(mailQuery({ q: 'ada', state: 'given-up', kind: 'reset-password', account: 'acct_1' })).toEqual({ q: 'ada', state: 'given-up', kind: 'reset-password', account: 'acct_1' });
  expect([STATES.length, KINDS.length]).toEqual([3, 27]);
});

it('shows mail though the address has invalid values', () => {
  expect(mailQuery({ state: 'lost', kind: 'toString', account: 'ada@example.com' })).toEqual({});
});
