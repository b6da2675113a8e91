import { expect, it } from '@jest/globals';
import { detailsLine } from './details-line.js';

it('lists texts before details, and omits empty ones', () => {
  const entry = { texts: { reason: 'paid' }, details: { kind: 'top-up', amount: '100.000001', expiresAt: null, models: ['a', 'b'] } };
  expect(detailsLine(entry)).toBe('reason: paid · kind: top-up · amount: 100.000001 · models: ["a","b"]');
  expect(detailsLine({ texts: {}, details: {} })).toBe('');
});

it('shows instants as RFC 3339', () => {
  expect(detailsLine({ texts: {}, details: { dueAt: 1_795_425_600_000, attempts: 3 } })).toBe('dueAt: 2026-11-23T09:20:00.000Z · attempts: 3');
});
