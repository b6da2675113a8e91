import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { utcDay } from './day.js';
import { gatewayNow, gatewayTimeAt, setGatewayTime } from './gateway-time.js';
import { ago, shortInstant } from './instant.js';
import { presetPeriods } from './period.js';

const BROWSER = new Date('2026-11-30T23:58:00Z');

beforeEach(() => { jest.useFakeTimers({ now: BROWSER }); });
afterEach(() => {
  setGatewayTime(BROWSER.toISOString(), BROWSER.getTime());
  jest.useRealTimers();
});

it('the current UTC day is that of the browser’s clock until the gateway’s time is known', () => {
  expect(utcDay()).toBe('2026-11-30');
});

it.each([['2026-12-01T00:03:00Z', '2026-12-01', '2026-12-01'], ['2026-11-28T12:00:00Z', '2026-11-28', '2026-11-01']])('periods end on the UTC day of the gateway’s time %s, not of the browser’s', (instant, day, month) => {
  setGatewayTime(instant);
  const { last7, thisMonth } = presetPeriods(utcDay());
  expect([last7.last, thisMonth]).toEqual([day, { first: month, last: day }]);
});

it('the known time of the gateway advances with the browser’s clock', () => {
  setGatewayTime('2026-12-01T23:59:00Z');
  jest.advanceTimersByTime(2 * 60_000);
  expect([gatewayNow().toISOString(), gatewayTimeAt(BROWSER.getTime()).toISOString()]).toEqual(['2026-12-02T00:01:00.000Z', '2026-12-01T23:59:00.000Z']);
});

it('ages, and whether a date shows its year, are computed with the gateway’s clock', () => {
  setGatewayTime('2027-01-01T00:01:00Z');
  expect([ago('2026-12-31T23:56:00Z'), shortInstant('2026-12-31T23:56:00Z', undefined, 'UTC')]).toEqual(['5 min ago', '31 Dec 2026, 23:56']);
});
