import { describe, expect, it } from '@jest/globals';
import { type ChargeRecord, isBeyond, refundableOf, refundedOf } from './charge.js';

function recordOf(charged: string, ...ledger: readonly (readonly ['charge' | 'late-charge' | 'refund', string])[]): ChargeRecord {
  return { svc_tokens_debited: charged, ledger: ledger.map(([kind, amount]) => ({ kind, amount, reference: null, at: '2026-11-21T09:30:00.000Z' })) };
}

describe('what can be refunded of a charge', () => {
  it('is exactly the charge less earlier refunds', () => {
    const record = recordOf('9007199254740993.000003', ['charge', '9007199254740990.000003'], ['late-charge', '3'], ['refund', '0.000001'], ['refund', '1']);
    expect([refundedOf(record), refundableOf(record)]).toEqual(['1.000001', '9007199254740992.000002']);
  });

  it('is the whole charge if nothing was refunded, and never below zero', () => {
    const [whole, none] = [recordOf('5', ['charge', '5']), recordOf('5', ['charge', '5'], ['refund', '5.5'])];
    expect([refundedOf(whole), refundableOf(whole), refundableOf(none)]).toEqual(['0', '5', '0']);
  });
});

it('an amount is too large only if it exceeds what can still be refunded', () => {
  expect(['20.108', '20.108001', '1,000', '', 'ten', '-30'].map((typed) => isBeyond(typed, '20.108'))).toEqual([false, true, true, false, false, false]);
});
