import { expect, it } from '@jest/globals';
import { common } from '#texts/common';
import { amountFault } from './amount-fault.js';

it.each(['500', '0.000001', '1,000.5', ' 12 '])('the amount %p has no fault', (typed) => expect(amountFault(typed)).toBeNull());

it.each([
  ['', common.fieldRequired], ['  ', common.fieldRequired], ['five', common.amountInvalid], ['1e3', common.amountInvalid], ['0.0000001', common.amountInvalid],
  ['0', common.amountZero], ['0.000', common.amountZero], ['-1', common.amountNegative],
])('the amount %p has the fault: %s', (typed, fault) => expect(amountFault(typed)).toBe(fault));

it('a negative amount has no fault if the field permits signs; zero always has one', () => {
  expect([amountFault('-1', true), amountFault('-0', true)]).toEqual([null, common.amountZero]);
});
