import { expect, it } from '@jest/globals';
import { bodyOf, notificationFaults, notificationFields } from './notification-form';

const MAILS = { balance_low: true, balance_exhausted: false, key_limit_reached: true, account_cap_reached: true, webhook_disabled: true, credit_expiring: true };

it('the form of notifications has a field for each possible threshold, empty where none is set', () => {
  expect(notificationFields({ mails: MAILS, alert_thresholds: ['20'] })).toEqual({ mails: MAILS, thresholds: ['20', '', ''] });
  expect(notificationFields({ mails: MAILS, alert_thresholds: null }).thresholds).toEqual(['', '', '']);
});

it('the form of notifications sends the typed amounts, and null if all fields are empty', () => {
  expect(bodyOf({ mails: MAILS, thresholds: ['1,000', ' ', '2.5'] })).toEqual({ mails: MAILS, alert_thresholds: ['1000', '2.5'] });
  expect(bodyOf({ mails: MAILS, thresholds: ['', ' ', ''] })).toEqual({ mails: MAILS, alert_thresholds: null });
});

it('the form of notifications reports fields that are not positive amounts', () => {
  expect(Object.keys(notificationFaults({ mails: MAILS, thresholds: ['x', '', '0'] }))).toEqual(['thresholds.0', 'thresholds.2']);
  expect(notificationFaults({ mails: MAILS, thresholds: ['1', '', '2.000001'] })).toEqual({});
});
