import { renderPage, installDocument } from '../../test-support/render-page';
import { expect, it } from '@jest/globals';
import { common } from '#texts/common';
import { KeySpent, KeyStatus } from './key-cells';
import type { Key } from './key-state';

installDocument();

const amount = (tokens: string) => ({ svc_tokens: tokens, usd: '0' });

function keyWith(differences: object): Key {
  return {
    status: 'active', blocked: false, expires_at: null, spending_limit: { ...amount('0.5'), period: 'month' }, spent: amount('0'), reserved: amount('0'), limit_reached: false, ...differences,
  } as Partial<Key> as Key;
}

it.each([
  ['a key that has reached its limit', { limit_reached: true }, ['Limit reached', '0.5', 'a month', '0.5 is left, too little for a request']],
  ['an active key', {}, ['Active', '0.5', 'a month']],
  ['a key whose limit leaves more than the account has available', { spending_limit: { ...amount('500'), period: 'day' } }, ['Active', 'The balance runs out first: 100 available']],
  ['a blocked key', { blocked: true }, ['Blocked', '0.5']],
  ['a key without a limit', { spending_limit: null, spent: null }, ['Active', 'Account limits only']],
  ['a revoked key', { status: 'revoked' }, ['Revoked', common.none]],
])('the cells of %s show its status and what it may still spend', async (_case, differences, expected) => {
  const apiKey = keyWith(differences);
  await renderPage(<main><KeyStatus apiKey={apiKey} /> <KeySpent apiKey={apiKey} available="100" /></main>);
  const text = document.querySelector('main')?.textContent ?? '';
  expect(expected.filter((part) => !text.includes(part))).toEqual([]);
});
