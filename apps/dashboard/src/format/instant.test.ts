import { expect, it } from '@jest/globals';
import { longDate } from './instant.js';

const NOW = new Date('2026-11-23T12:00:00Z');

it('dates are in the viewer’s time zone, with the year if it is not the current one', () => {
  expect(longDate('2026-12-22T23:30:00Z', NOW, 'UTC')).toBe('22 December');
  expect(longDate('2026-12-22T23:30:00Z', NOW, 'Asia/Kathmandu')).toBe('23 December');
  expect(longDate('2027-01-02T00:00:00Z', NOW, 'UTC')).toBe('2 January 2027');
});
