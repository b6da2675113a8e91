import { expect, it } from '@jest/globals';
import { accountsIn, keysIn, type UsageSums } from './usage-rows.js';

function sums(groupBy: readonly string[], groups: readonly (string | null)[]): UsageSums {
  const buckets = groups.map((group) => ({ group }));
  return { group_by: groupBy, series: buckets, data: [...buckets, ...buckets] } as unknown as UsageSums;
}

it('the keys of sums by key are found, each once; sums by anything else have none', () => {
  expect(keysIn(sums(['day', 'key'], ['key_1', null, 'key_2']))).toEqual(['key_1', 'key_2']);
  expect([keysIn(sums(['day', 'model'], ['small'])), keysIn(undefined)]).toEqual([[], []]);
});

it('the accounts of sums by account are found, each once; sums by anything else have none', () => {
  expect(accountsIn(sums(['day', 'account'], ['acct_1', null, 'acct_2']))).toEqual(['acct_1', 'acct_2']);
  expect([accountsIn(sums(['day', 'key'], ['key_1'])), accountsIn(undefined)]).toEqual([[], []]);
});
