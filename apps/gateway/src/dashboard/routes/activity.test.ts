import { expect, it } from '@jest/globals';
import { bookingOf } from './activity.js';

const CREDIT = { action: 'account.credited', details: { kind: 'top-up', amount: '12.5', reference: 'invoice 7' }, texts: { reason: 'paid by transfer' } } as const;

it('a booking states its amount, reference and reason', () => {
  expect(bookingOf(CREDIT)).toEqual({ svc_tokens: '12.5', reference: 'invoice 7', request_id: null, reason: 'paid by transfer' });
  expect(bookingOf({ ...CREDIT, action: 'account.refund', details: { ...CREDIT.details, request: 'req_1' }, texts: {} })).toMatchObject({ request_id: 'req_1', reason: null });
});

it('a booking has a negative amount if it lowered the balance', () => {
  expect(bookingOf({ ...CREDIT, action: 'account.correction', details: { ...CREDIT.details, direction: 'lower' } })?.svc_tokens).toBe('-12.5');
});

it('an audited action that is not an act of money has no booking, even if its details contain an amount', () => {
  expect([bookingOf({ ...CREDIT, action: 'key.created' }), bookingOf({ action: 'account.deleted', details: { forfeited: '3' }, texts: {} })]).toEqual([null, null]);
});
