import { expect, it } from '@jest/globals';
import { actionText } from './action.js';

it('known acts have words of their own', () => {
  expect(actionText('key.created', { 'key.created': 'Key created' })).toBe('Key created');
});

it('unknown acts have words derived from their names', () => {
  expect(actionText('person.passkey-added', {})).toBe('Person: passkey added');
});
