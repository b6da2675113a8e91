import { expect, it } from '@jest/globals';
import { common } from '#texts/common';
import { amountFault } from './amount-fault.js';

it.each(['500', '0.000001', '1,000.5', ' 12 '])('accepts %p', (typed) => expect(amountFault(typed)).toBeNull());

it.each([
  ['', common.fieldRequired], ['  ', common.fieldRequired], ['five', common.amountInvalid], ['1e3', common.amountInvalid], ['0.0000001', common.amountInvalid],
  ['0', common.amountZero], ['0.000', common.amountZero], ['-1', common.amountNegative],
])('reports the error in %p', (typed, fault) => expect(amountFault(typed)).toBe(fault));

it('accepts negative amounts if they may be signed, but never zero', () => {
  expect([amountFault('-1', true), amountFault('-0', true)]).toEqual([null, common.amountZero]);
});
