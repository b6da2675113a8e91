import { expect, it } from '@jest/globals';
import { accountsIn, keysIn, type UsageSums } from './usage-rows.js';

function sums(groupBy: readonly string[], groups: readonly (string | null)[]): UsageSums {
  const buckets = groups.map((group) => ({ group }));
  return { group_by: groupBy, series: buckets, data: [...buckets, ...buckets] } as unknown as UsageSums;
}

it('finds each key once in sums by key, and none in others', () => {
  expect(keysIn(sums(['day', 'key'], ['key_1', null, 'key_2']))).toEqual(['key_1', 'key_2']);
  expect([keysIn(sums(['day', 'model'], ['small'])), keysIn(undefined)]).toEqual([[], []]);
});

it('finds each account once in sums by account, and none in others', () => {
  expect(accountsIn(sums(['day', 'account'], ['acct_1', null, 'acct_2']))).toEqual(['acct_1', 'acct_2']);
  expect([accountsIn(sums(['day', 'key'], ['key_1'])), accountsIn(undefined)]).toEqual([[], []]);
});
