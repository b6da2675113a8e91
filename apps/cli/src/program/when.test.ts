import { describe, expect, it } from '@jest/globals';
import type { Instant } from '@tollgate/core';
import { fullTime, shortTime } from './when.js';

const NOW = Date.parse('2026-11-21T10:00:00.000Z') as Instant;
const HOUR = 3_600_000;

describe('a time', () => {
  it.each([
    [0, 'just now'], [-999, 'just now'], [-1_000, '1 s ago'], [-59_999, '59 s ago'], [-60_000, '1 min ago'], [-HOUR + 1, '59 min ago'], [-HOUR, '1 h ago'], [-24 * HOUR + 1, '23 h ago'],
    [-24 * HOUR, '2026-11-20 10:00'], [45_000, 'in 45 s'], [2 * HOUR, 'in 2 h'], [24 * HOUR, '2026-11-22 10:00'],
  ])('%d ms from now is %j in a table', (milliseconds, text) => {
    expect(shortTime((NOW + milliseconds) as Instant, NOW)).toBe(text);
  });

  it.each([
    [-90_000, '2026-11-21T09:58:30.000Z (1 min ago)'], [-24 * HOUR, '2026-11-20T10:00:00.000Z (1 day ago)'], [90 * 24 * HOUR, '2027-02-19T10:00:00.000Z (in 90 days)'],
  ])('%d ms from now is written exactly, with the relative time after it: %s', (milliseconds, text) => {
    expect(fullTime((NOW + milliseconds) as Instant, NOW)).toBe(text);
  });
});
