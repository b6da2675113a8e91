import { expect, it } from '@jest/globals';
import { faultsOf, sentenceOf } from './field-faults.js';

it('each fault of a refusal has a text in the words of the page, with the values of its rule', async () => {
  const errors = [
    { field: 'new_password', code: 'too_short', message: 'must have at least 8 characters', values: { minimum: 8 } },
    { field: 'name', code: 'too_long', message: 'Too big', values: { maximum: 2_000 } },
    { field: 'amount', code: 'price_out_of_range', message: '…', values: { minimum: '5.00', maximum: '5000.00', currency: 'USD' } },
  ] as const;
  expect(await faultsOf({ message: 'new_password: must have at least 8 characters.', param: 'new_password', errors })).toEqual([
    { field: 'new_password', text: 'Enter at least 8 characters.' }, { field: 'name', text: 'Enter at most 2,000 characters.' },
    { field: 'amount', text: 'Enter an amount from 5.00 USD to 5,000.00 USD.' },
  ]);
});

it('a fault with an unknown code, and a refusal without a list of errors, keep the gateway’s English sentence', async () => {
  const errors = [{ field: 'name', code: 'toString' as 'invalid', message: 'is taken' }];
  expect(await faultsOf({ message: '', param: 'name', errors })).toEqual([{ field: 'name', text: 'This is taken.' }]);
  expect(await faultsOf({ message: 'name: must not be empty.', param: 'name', errors: [] })).toEqual([{ field: 'name', text: 'Must not be empty.' }]);
  expect(await faultsOf({ message: 'Too many attempts.', param: null, errors: [] })).toEqual([]);
});

it('a sentence that does not begin with the name of a field is unchanged', () => {
  expect(sentenceOf('The last operator: cannot be removed.')).toBe('The last operator: cannot be removed.');
});
