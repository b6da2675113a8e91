import { expect, it } from '@jest/globals';
import { isFound, modelChoices, modelNamer } from './model-choices.js';

const MODELS = [{ id: 'acme-1', display_name: 'Acme One' }, { id: 'twin-a', display_name: 'Twin' }, { id: 'twin-b', display_name: 'Twin' }];

it('a model has its display name, or its id if the name is not unique or the model has left the catalogue', () => {
  expect(['acme-1', 'twin-a', 'twin-b', 'gone'].map(modelNamer(MODELS))).toEqual(['Acme One', 'twin-a', 'twin-b', 'gone']);
  expect(modelChoices(MODELS)[0]).toEqual({ value: 'acme-1', label: 'Acme One' });
});

it.each([['one', true], ['ACME-1', true], [' acme ', true], ['', true], ['two', false]])('a search for "%s" in name or id finds the model: %s', (text, found) => {
  expect(isFound({ value: 'acme-1', label: 'Acme One' }, text)).toBe(found);
});
