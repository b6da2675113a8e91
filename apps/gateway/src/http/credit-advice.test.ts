import { expect, it } from '@jest/globals';
import { StaticCatalogue } from '@tollgate/adapters-memory';
import { parseTokenRate, ServiceTokens } from '@tollgate/core';
import { creditAdvice } from './credit-advice.js';

const CATALOGUE = new StaticCatalogue({ models: [], plans: [], usdPerServiceToken: parseTokenRate('0.001'), minimumReservation: ServiceTokens.ZERO });
const PARTS = { address: { origin: 'https://api.example.com' }, catalogue: CATALOGUE, product: 'Acme' } as const;

it.each([
  ['sandbox', true, null, 'Add credit to your Acme account at https://api.example.com/dashboard/billing'],
  ['sandbox', false, 'Write to us.', 'Add credit to your Acme account at https://api.example.com/dashboard/billing Write to us.'],
  ['off', true, null, 'Redeem a voucher for your Acme account at https://api.example.com/dashboard/billing'],
  ['off', false, 'Write to us.', 'Write to us.'],
  ['off', false, null, null],
] as const)('with PAYMENTS %s, vouchers redeemable: %s, and the operator’s sentence “%s”, the advice is: %s', (payments, redeemsVouchers, creditLine, advice) => {
  expect(creditAdvice({ ...PARTS, payments, redeemsVouchers, creditLine })).toBe(advice);
});
