import { expect, it } from '@jest/globals';
import { findsFor } from './palette-finds.js';

const KEYS = [{ id: 'key_1', name: 'Laptop of Zo\u00eb', hint: 'sk-Ab\u2026wXyZ' }, { id: 'key_2', name: null, hint: 'sk-Cd\u20261234' }];
const MODELS = [{ id: 'acme/one', name: 'One' }];
const ACCOUNTS = [{ id: 'acct_1', name: 'Rocket', email: 'sue@rocket.example' }, { id: 'acct_2', name: '', email: 'erased:acct_2' }];

function found(text: string): readonly string[] {
  return findsFor(text, { keys: KEYS, models: MODELS, accounts: [] }).map(({ label, to }) => `${label} ${to}`);
}

it('finds keys and models by a part of their name or id in any case', () => {
  expect(found('ZO\u00cb')).toEqual(['Laptop of Zo\u00eb /keys/key_1']);
  expect(found('key_2')).toEqual(['sk-Cd\u20261234 /keys/key_2']);
  expect([found('ONE'), found('acme/')]).toEqual([['One /models/acme%2Fone'], ['One /models/acme%2Fone']]);
  expect([found(''), found('other')]).toEqual([[], []]);
});

it('lists the accounts that the gateway found, by name, or by address without one', () => {
  expect(findsFor('rocket', { keys: [], models: [], accounts: ACCOUNTS })).toEqual([
    { id: 'acct_1', label: 'Rocket', description: 'Customer sue@rocket.example', to: '/operator/accounts/acct_1' },
    { id: 'acct_2', label: 'erased:acct_2', description: 'Customer erased:acct_2', to: '/operator/accounts/acct_2' },
  ]);
});

it('lists at most five keys', () => {
  const keys = Array.from({ length: 9 }, (_, number) => ({ id: `key_${number}`, name: 'ci', hint: 'sk' }));
  expect(findsFor('ci', { keys, models: [], accounts: [] })).toHaveLength(5);
});
