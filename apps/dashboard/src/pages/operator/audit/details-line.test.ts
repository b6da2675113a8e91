import { expect, it } from '@jest/globals';
import { shortInstant } from '../../../format/instant.js';
import { detailsLine } from './details-line.js';

it('the details of an act begin with its texts, and omit empty fields', () => {
  const entry = { texts: { reason: 'paid' }, details: { kind: 'top-up', amount: '100000.000001', reference: 'i7', expiresAt: null, models: ['a', 'b'] } };
  expect(detailsLine(entry)).toBe('Reason: paid · Kind: Credit · Amount: 100,000.000001 service tokens · Reference: i7 · Models: a, b');
  expect(detailsLine({ texts: {}, details: {} })).toBe('');
});

it('the details of an act show the unit, service tokens, only beside amounts of bookings', () => {
  expect(detailsLine({ texts: {}, details: { refundId: 'r1', amount: '2000' } })).toBe('Refund: r1 · Amount: 2000');
});

it('the details of an act show instants as the page does, and unknown fields by their names', () => {
  expect(detailsLine({ texts: {}, details: { dueAt: 1_795_425_600_000, later: 3 } })).toBe(`Due: ${shortInstant('2026-11-23T09:20:00.000Z')} · later: 3`);
});

it('the details of an act have words for true, false and an empty list, and list the members of a field', () => {
  expect(detailsLine({ texts: {}, details: { playground: true, models: [], automaticTopUp: { enabled: false, reason: 'declined' } } }))
    .toBe('Playground: yes · Models: none · Automatic top-up: On: no, Reason: declined');
});
