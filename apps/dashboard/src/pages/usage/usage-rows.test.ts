import { expect, it } from '@jest/globals';
import { accountsIn, keysIn, type UsageSums } from './usage-rows.js';

function sums(groupBy: readonly string[], groups: readonly (string | null)[]): UsageSums {
  const buckets = groups.map((group) => ({ group }));
  return { group_by: groupBy, series: buckets, data: [...buckets, ...buckets] } as unknown as UsageSums;
}

it('usage that is grouped by key lists its keys, each once; other groupings list none', () => {
  expect(keysIn(sums(['day', 'key'], ['key_1', null, 'key_2']))).toEqual(['key_1', 'key_2']);
  expect([keysIn(sums(['day', 'model'], ['small'])), keysIn(undefined)]).toEqual([[], []]);
});

it('usage that is grouped by account lists its accounts, each once; other groupings list none', () => {
  expect(accountsIn(sums(['day', 'account'], ['acct_1', null, 'acct_2']))).toEqual(['acct_1', 'acct_2']);
  expect([accountsIn(sums(['day', 'key'], ['key_1'])), accountsIn(undefined)]).toEqual([[], []]);
});
