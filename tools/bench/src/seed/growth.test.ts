import { describe, expect, it } from '@jest/globals';
import { type Growth, grownAccountId, grownKeyId, spreadKeys } from './growth.js';

function positionsOf(growth: Growth, count: number): readonly (readonly number[])[] {
  return spreadKeys(growth, count).map(({ keyId, accountId }) => [Number(keyId.slice('key_'.length)), Number(accountId.slice('acct_'.length))]);
}

describe('the keys that requests carry', () => {
  it.each<[string, Growth, number, readonly (readonly number[])[]]>([
    ['every key, where there are no more', { accounts: 3, keys: 3, usageRows: 0 }, 3, [[0, 0], [1, 1], [2, 2]]],
    ['each account\'s only key, all over the accounts', { accounts: 9, keys: 9, usageRows: 0 }, 3, [[0, 0], [3, 3], [6, 6]]],
    ['all keys there are, where most accounts have none', { accounts: 90, keys: 3, usageRows: 0 }, 3, [[0, 0], [1, 30], [2, 60]]],
    ['of few accounts with many keys each, all over the keys', { accounts: 3, keys: 9, usageRows: 0 }, 3, [[0, 0], [4, 1], [8, 2]]],
    ['of many accounts with two keys each, all over both', { accounts: 8, keys: 16, usageRows: 0 }, 4, [[0, 0], [2, 2], [12, 4], [14, 6]]],
    ['no more than there are accounts', { accounts: 2, keys: 4, usageRows: 0 }, 500, [[0, 0], [3, 1]]],
  ])('are %s', (_case, growth, count, expected) => {
    expect(positionsOf(growth, count)).toEqual(expected);
  });

  it('are named as rows are', () => {
    expect([grownKeyId(7), grownAccountId(12)]).toEqual(['key_000000000000000000000007', 'acct_000000000000000000000012']);
  });
});
