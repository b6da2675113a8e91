import { expect, it } from '@jest/globals';
import { ServiceTokens } from '../money/service-tokens.js';
import { purchaseWords } from './purchase-words.js';

it.each([
  [null, null, '100 credits', null],
  [null, 30, '100 credits', 'What is left of the credit expires 30 days after the payment.'],
  ['Small', null, 'Small', '100 credits.'],
  ['Small', 1, 'Small', '100 credits. What is left of the credit expires 1 day after the payment.'],
] as const)('the package %j that expires after %j days reads %j with the details %j', (packageName, creditExpiresAfterDays, description, details) => {
  expect(purchaseWords({ tokens: ServiceTokens.parse('100'), packageName, creditExpiresAfterDays }, 'credits')).toEqual({ description, details });
});

it.each([['999', '999'], ['5000', '5,000'], ['20108.123456', '20,108.123456'], ['1234567', '1,234,567']])('the amount %s reads %s', (amount, shown) => {
  expect(purchaseWords({ tokens: ServiceTokens.parse(amount), packageName: null, creditExpiresAfterDays: null }, 'credits').description).toBe(`${shown} credits`);
});
