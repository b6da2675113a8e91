import { expect, it } from '@jest/globals';
import { choiceFault, orderOf, typedPrice } from './payment-choice.js';

const OFFER = { custom: { currency: 'USD', min: '1.00', max: '1000.00', svc_tokens_per_unit: '1000' } };

it.each([
  ['', '', 'nothing-chosen'], ['small', '', null], ['custom', '', 'no-amount'], ['custom', 'ten', 'no-amount'], ['custom', '1e3', 'no-amount'], ['custom', '-5', 'no-amount'],
  ['custom', '0.99', 'out-of-range'], ['custom', '1', null], ['custom', ' 1000.00 ', null], ['custom', '1000.01', 'out-of-range'],
] as const)('the choice %j with the amount %j has the fault %j', (choice, amount, fault) => {
  expect(choiceFault({ choice, amount }, OFFER)).toBe(fault);
});

it.each([['10,50', '10.50'], ['1.000', '1000'], ['10.50', '10.50'], ['1.000,5', '1000.5'], ['-5', null], ['1,23456', null]])('the price %j, typed on a German page, is read as %j', (text, price) => {
  expect(typedPrice(text, { decimalPoint: ',', groupSeparator: '.' })).toBe(price);
});

it('an order names the id of a package, or the custom amount', () => {
  expect(orderOf({ choice: 'small', amount: '7' })).toEqual({ package: 'small' });
  expect(orderOf({ choice: 'custom', amount: ' 7.50 ' })).toEqual({ amount: '7.50' });
});
