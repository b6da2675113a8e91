import { expect, it } from '@jest/globals';
import { actionText } from './action.js';

it('shows known acts in their own words', () => {
  expect(actionText('key.created', { 'key.created': 'Key created' })).toBe('Key created');
});

it('derives words for unknown acts', () => {
  expect(actionText('person.passkey-added', {})).toBe('Person: passkey added');
});
