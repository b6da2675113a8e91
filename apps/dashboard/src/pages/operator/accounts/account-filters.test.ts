import { expect, it } from '@jest/globals';
import { accountsQuery, filtersIn } from './account-filters.js';

it('the list of accounts sends the gateway the filters in the URL', () => {
  expect(accountsQuery({ q: 'rocket', plan: 'pro', standing: 'suspended', below: '1.50', used: 'unused-30', sort: '-available' }, '2026-03-01'))
    .toEqual({ q: 'rocket', plan: 'pro', standing: 'suspended', available_below: '1.50', unused_since: '2026-01-31', sort: '-available' });
  expect(accountsQuery({ used: 'used-7' }, '2026-03-01')).toEqual({ used_since: '2026-02-23' });
});

it('the list of accounts ignores filters that the gateway would refuse', () => {
  expect(accountsQuery({ standing: 'fine', below: 'little', used: 'today', sort: 'price' }, '2026-03-01')).toEqual({});
  for (const below of ['0', '-1', '']) expect(accountsQuery({ below }, '2026-03-01')).toEqual({});
});

it('the number of filters of accounts excludes the search text and the order', () => {
  expect(filtersIn({ q: 'rocket', sort: 'email', plan: 'pro', standing: '', below: '1' })).toBe(2);
});
