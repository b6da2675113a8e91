import { expect, it } from '@jest/globals';
import { findsFor } from './palette-finds.js';

const KEYS = [{ id: 'key_1', name: 'Laptop of Zo\u00eb', hint: 'sk-Ab\u2026wXyZ' }, { id: 'key_2', name: null, hint: 'sk-Cd\u20261234' }];
const MODELS = [{ id: 'acme/one', name: 'One' }];
const NONE = { keys: [], foundKeys: [], isOperator: false, models: [], accounts: [] };
const ACCOUNTS = [{ id: 'acct_1', name: 'Rocket', email: 'sue@rocket.example' }, { id: 'acct_2', name: '', email: 'erased:acct_2' }];

function found(text: string): readonly string[] {
  return findsFor(text, { ...NONE, keys: KEYS, models: MODELS }).map(({ label, to }) => `${label} ${to}`);
}

it('the palette finds keys and models by a part of their name or id, ignoring case', () => {
  expect(found('ZO\u00cb')).toEqual(['Laptop of Zo\u00eb /keys/key_1']);
  expect(found('key_2')).toEqual(['sk-Cd\u20261234 /keys/key_2']);
  expect([found('ONE'), found('acme/')]).toEqual([['One /models/acme%2Fone'], ['One /models/acme%2Fone']]);
  expect([found(''), found('other')]).toEqual([[], []]);
});

it('the palette shows accounts by their name, or by their address if they have none', () => {
  expect(findsFor('rocket', { ...NONE, accounts: ACCOUNTS })).toEqual([
    { id: 'acct_1', label: 'Rocket', description: 'Customer sue@rocket.example', to: '/operator/accounts/acct_1' },
    { id: 'acct_2', label: 'erased:acct_2', description: 'Customer erased:acct_2', to: '/operator/accounts/acct_2' },
  ]);
});

it('the palette lists at most five keys', () => {
  const keys = Array.from({ length: 9 }, (_, number) => ({ id: `key_${number}`, name: 'ci', hint: 'sk' }));
  expect(findsFor('ci', { ...NONE, keys })).toHaveLength(5);
});

it('the palette lists each found key once, and leads operators to the requests of a customer’s key', () => {
  const foundKeys = [{ id: 'key_1', name: 'Laptop of Zo\u00eb', hint: 'sk-Ab\u2026wXyZ' }, { id: 'key_9', name: 'Laptop', hint: 'sk-Ef\u20265678' }];
  const paths = (isOperator: boolean) => findsFor('laptop', { ...NONE, keys: KEYS, foundKeys, isOperator }).map(({ to }) => to);
  expect([paths(false), paths(true)]).toEqual([['/keys/key_1', '/keys/key_9'], ['/keys/key_1', '/operator/usage?key_id=key_9']]);
});
