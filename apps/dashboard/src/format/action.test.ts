import { expect, it } from '@jest/globals';
import { actionText } from './action.js';

it('says acts in the words that are known for them', () => {
  expect(actionText('key.created', { 'key.created': 'Key created' })).toBe('Key created');
});

it('says acts that it does not know in their own words', () => {
  expect(actionText('person.passkey-added', {})).toBe('Person: passkey added');
});
