import { describe, expect, it } from '@jest/globals';
import { parseInstant } from './query-parameters.js';

describe('a point in time in a query', () => {
  it.each([
    ['0', 0],
    ['1795224384', 1_795_224_384_000],
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2026-11-21T01:26:24Z', Date.UTC(2026, 10, 21, 1, 26, 24)],
    ['2026-11-21t01:26:24.5z', Date.UTC(2026, 10, 21, 1, 26, 24, 500)],
    ['2026-11-21T01:26:24+02:00', Date.UTC(2026, 10, 20, 23, 26, 24)],
    ['2026-11-21T01:26:24 02:00', Date.UTC(2026, 10, 20, 23, 26, 24)],
  ])('%s is read', (text, milliseconds) => {
    expect(parseInstant(text)).toBe(milliseconds);
  });

  it.each([
    'yesterday', '-1', '1.5', '1e9', '123456789012', '2026-02-30', '2026-02-30T00:00:00Z', '2026-13-01', '2026-11-21T25:00:00Z',
    '2026-11-21T01:26:24', '2026-11-21 01:26:24Z', '1969-12-31T00:00:00Z', '21.11.2026', '',
  ])('%j is refused', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
