import { describe, expect, it } from '@jest/globals';
import { creationOf, EMPTY_FIELDS, EMPTY_ROTATION, expiryFaults, faultsOf, rotationOf } from './machine-form.js';

const NOW = new Date('2026-11-22T14:00:00Z');
const SHOP = { ...EMPTY_FIELDS, name: ' Shop ', scopes: ['accounts:read'] as const };

describe('the form of a machine', () => {
  it('names all faults at once', () => {
    expect(Object.keys(faultsOf({ ...EMPTY_FIELDS, name: ' ', networks: '10.0.0.0/8\n\nhome', expiry: 'day' }, NOW))).toEqual(['name', 'scopes', 'networks', 'day']);
    expect(faultsOf({ ...SHOP, networks: '10.0.0.0/8\n\n home' }, NOW)).toEqual({ networks: 'Line 3 is no address or CIDR range such as 203.0.113.0/24.' });
    expect(faultsOf({ ...SHOP, networks: '192.0.2.1\n'.repeat(51) }, NOW)).toEqual({ networks: 'Enter at most 50 networks.' });
    expect(faultsOf({ ...SHOP, networks: '192.0.2.1\r\n\n'.repeat(50) }, NOW)).toEqual({});
  });

  it.each([['2026-11-21', false], ['2026-11-22', true], ['2027-11-21', true], ['2027-11-22', false], ['2026-02-30', false], ['', false]])('accepts %s as the day of expiry: %s', (day, taken) => {
    expect(expiryFaults({ expiry: 'day', day }, NOW)).toEqual(taken ? {} : { day: 'Choose a day from today on, at most 365 days ahead.' });
  });

  it('becomes the request that creates the machine', () => {
    expect(creationOf({ ...SHOP, networks: ' 192.0.2.1 \n\n::1' }, NOW)).toEqual({ name: 'Shop', scopes: ['accounts:read'], networks: ['192.0.2.1', '::1'], expires_at: null });
    expect(creationOf({ ...SHOP, expiry: 'half' }, NOW).expires_at).toBe('2027-05-21T14:00:00.000Z');
    expect(creationOf({ ...SHOP, expiry: 'day', day: '2026-12-01' }, NOW).expires_at).toBe('2026-12-01T23:59:59.999Z');
  });

  it('becomes the request that rotates the machine’s secret', () => {
    expect([rotationOf(EMPTY_ROTATION, NOW), rotationOf({ ...EMPTY_ROTATION, overlap: '0', expiry: 'month' }, NOW)]).toEqual([
      { overlap_hours: 24, expires_at: null }, { overlap_hours: 0, expires_at: '2026-12-22T14:00:00.000Z' },
    ]);
  });
});
