import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { creditOfferFields, decodeCreditOffer } from './credit-offer-schema.js';

const schema = z.strictObject(creditOfferFields);
const PACKAGE = { name: 'Small', price: '10.00', currency: 'EUR', service_tokens: '10000', bonus: '500' };
const CUSTOM = { currency: 'JPY', min: '500', max: '100000', service_tokens_per_unit: '8.5' };

function problems(content: unknown): readonly string[] {
  return schema.safeParse(content).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('the credit offer of a catalogue', () => {
  it('may say after how many days the credit of a package expires', () => {
    const days = (terms: object) => decodeCreditOffer(schema.parse({ credit_packages: { small: { ...PACKAGE, ...terms } } })).packages[0]?.creditExpiresAfterDays;
    expect([days({ credit_expires_after_days: '365' }), days({})]).toEqual([365, undefined]);
    for (const wrong of ['0', '3651', '1.5', 'never']) {
      expect(problems({ credit_packages: { small: { ...PACKAGE, credit_expires_after_days: wrong } } })).toEqual(['credit_packages.small.credit_expires_after_days: must be a whole number from 1 to 3650']);
    }
  });

  it('counts prices in the smallest unit of the currency, and adds the bonus to the service tokens of a package', () => {
    const { packages: [small], custom } = decodeCreditOffer(schema.parse({ credit_packages: { small: PACKAGE }, custom_credit: CUSTOM }));
    expect([small?.id, small?.amount, small?.tokens.toString(), small?.bonus.toString()]).toEqual(['small', 1000n, '10500', '500']);
    expect(custom).toEqual({ currency: 'JPY', min: 500n, max: 100_000n, rate: '8.5' });
    expect(decodeCreditOffer(schema.parse({}))).toEqual({ packages: [], custom: null });
  });

  it.each<readonly [name: string, content: unknown, field: string]>([
    ['a price with too many decimal places', { credit_packages: { a: { ...PACKAGE, price: '10.001' } } }, 'credit_packages.a.price'],
    ['a price of zero', { credit_packages: { a: { ...PACKAGE, price: '0' } } }, 'credit_packages.a.price'],
    ['half a yen', { credit_packages: { a: { ...PACKAGE, currency: 'JPY', price: '10.5' } } }, 'credit_packages.a.price'],
    ['no tokens', { credit_packages: { a: { ...PACKAGE, service_tokens: '0', bonus: '0' } } }, 'credit_packages.a.service_tokens'],
    ['more tokens than a balance can have', { credit_packages: { a: { ...PACKAGE, service_tokens: '999999999999.999999', bonus: '0.000002' } } }, 'credit_packages.a.service_tokens'],
    ['a maximum that gives more tokens than a balance can have', { custom_credit: { ...CUSTOM, max: '100001', service_tokens_per_unit: '10000000' } }, 'custom_credit.max'],
    ['an unknown currency', { credit_packages: { a: { ...PACKAGE, currency: 'eur' } } }, 'credit_packages.a.currency'],
    ['a maximum below the minimum', { custom_credit: { ...CUSTOM, max: '499' } }, 'custom_credit.max'],
    ['a rate that gives nothing', { custom_credit: { ...CUSTOM, service_tokens_per_unit: '0' } }, 'custom_credit.service_tokens_per_unit'],
  ])('is refused with %s', (_name, content, field) => {
    expect(problems(content).map((problem) => problem.split(':')[0])).toContain(field);
  });
});
