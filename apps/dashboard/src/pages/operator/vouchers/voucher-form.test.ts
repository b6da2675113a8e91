import { describe, expect, it } from '@jest/globals';
import { creationOf, EMPTY_FIELDS, faultsOf } from './voucher-form.js';

const NOW = new Date('2026-11-22T14:00:00Z');
const SPRING = { ...EMPTY_FIELDS, name: ' Spring ', amount: '2.5' };

describe('the form of vouchers', () => {
  it('names all faults at once', () => {
    expect(Object.keys(faultsOf({ ...EMPTY_FIELDS, count: '10001', uses: '0', day: '2026-11-21', creditDays: '1.5' }, NOW))).toEqual(['name', 'amount', 'count', 'uses', 'day', 'creditDays']);
    expect(faultsOf(SPRING, NOW)).toEqual({});
    expect(faultsOf({ ...SPRING, count: '10000', uses: ' 1000000 ', day: '2026-11-22', creditDays: '3650' }, NOW)).toEqual({});
    expect(faultsOf({ ...SPRING, creditDays: '3651' }, NOW)).toEqual({ creditDays: 'Enter a whole number from 1 to 3,650.' });
  });

  it('becomes the request that creates the codes', () => {
    expect(creationOf(SPRING)).toEqual({ name: 'Spring', note: null, svc_tokens: '2.5', code_count: 1, uses_per_code: 1, expires_at: null, credit_expires_after_days: null });
    expect(creationOf({ ...SPRING, note: ' fair ', day: '2026-12-31', creditDays: '90', count: '20' })).toMatchObject({ note: 'fair', expires_at: '2026-12-31T23:59:59.999Z', credit_expires_after_days: 90, code_count: 20 });
  });
});
