import { expect, it } from '@jest/globals';
import { readAccountMark } from './account-search.js';

it.each([
  [' Ann@Example.com ', { kind: 'email', email: 'Ann@Example.com' }],
  ['acct_1', { kind: 'account', id: 'acct_1' }],
  ['person_1', { kind: 'person', id: 'person_1' }],
  ['key_1', { kind: 'key', key: { kind: 'id', id: 'key_1' } }],
  ['wXyZ', { kind: 'key', key: { kind: 'ending', ending: 'wXyZ' } }],
  ['sk-Ab…wXyZ', { kind: 'key', key: { kind: 'ending', ending: 'wXyZ' } }],
])('%j names %j', (text, mark) => {
  expect(readAccountMark(text)).toEqual(mark);
});

it.each(['', '   ', 'ann', 'wXy', 'wXyZ1', 'wX-Z', 'wXy%', `sk-${'a'.repeat(48)}`])('%j names nothing', (text) => {
  expect(readAccountMark(text)).toBeNull();
});
