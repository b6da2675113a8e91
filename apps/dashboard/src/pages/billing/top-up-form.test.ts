import { expect, it } from '@jest/globals';
import { currencyOf, settingsOf, thresholdFault, topUpFields } from './top-up-form';

const OFFER = {
  packages: [{ id: 'small', name: 'Small', price: '5.00', currency: 'USD', svc_tokens: '50', bonus: '0', credit_expires_after_days: null }], custom: { currency: 'JPY', min: '100', max: '5000', svc_tokens_per_unit: '1' },
};
const SAVED = { threshold: '50', package: null, svc_tokens: '100', amount: '300', currency: 'JPY', max_per_day: 3, monthly_amount: '3000' };

it('the form of automatic top-up begins with the first package, or with the saved settings', () => {
  expect(topUpFields(null, OFFER)).toEqual({ threshold: '', choice: 'small', amount: '', maxPerDay: '1', monthly: '' });
  expect(settingsOf(topUpFields(SAVED, OFFER))).toEqual({ threshold: '50', amount: '300', max_per_day: 3, monthly_amount: '3000' });
  expect(settingsOf(topUpFields({ ...SAVED, package: 'small' }, OFFER))).toEqual({ threshold: '50', package: 'small', max_per_day: 3, monthly_amount: '3000' });
});

it('the form of automatic top-up has the currency of the selected package or of a custom amount, and requires a threshold', () => {
  expect(['small', 'custom', 'none'].map((choice) => currencyOf({ choice }, OFFER))).toEqual(['USD', 'JPY', '']);
  expect(thresholdFault({ threshold: '' })).not.toBeNull();
  expect(thresholdFault({ threshold: '12.5' })).toBeNull();
});
