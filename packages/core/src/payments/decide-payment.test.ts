import { describe, expect, it } from '@jest/globals';
import { type Balance, MAX_BALANCE } from '../billing/balance.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { AccountId } from '../primitives/ids.js';
import { assertNever } from '../primitives/assert-never.js';
import { instant } from '../primitives/time.js';
import { decidePayment, type PaymentDecision, type PaymentStep } from './decide-payment.js';
import { type Payment, PAYMENT_STATES, type PaymentAdjustment, type PaymentId, type PaymentState } from './payment.js';
import type { ReportedPayment } from './payment-provider.js';

const AT = instant(5);
const ZERO = ServiceTokens.ZERO;
const EMPTY: Balance = { posted: ZERO, reserved: ZERO };

function tokens(text: string): ServiceTokens {
  return ServiceTokens.parse(text);
}

const OPEN: Payment = {
  id: 'pay_1' as PaymentId, accountId: 'acct_1' as AccountId, provider: 'sandbox', reference: 'ref', origin: 'checkout', state: 'open', problem: null, amount: 1000n, currency: 'USD',
  tokens: tokens('90'), packageId: null, savesMethod: false, bookedAt: null, refunded: 0n, uncovered: ZERO, customer: null, method: null, invoiceUrl: null, url: null,
  createdAt: AT, changedAt: AT, checkedAt: null,
};

function refundOf(id: string, amount: bigint, claimed: string): PaymentAdjustment {
  return { kind: 'refund', id, amount, status: 'done', claimed: tokens(claimed), uncovered: ZERO };
}

function disputeOf(status: 'open' | 'won' | 'lost', claimed = '90', uncovered = '0'): PaymentAdjustment {
  return { kind: 'dispute', id: 'd', amount: 1000n, status, claimed: tokens(claimed), uncovered: tokens(uncovered) };
}

interface Situation {
  readonly payment: Payment;
  readonly adjustments: readonly PaymentAdjustment[];
}

/** A payment in each state, with the adjustments that lead to it. */
const SITUATIONS: Readonly<Record<PaymentState, Situation>> = {
  open: { payment: OPEN, adjustments: [] },
  failed: { payment: { ...OPEN, state: 'failed' }, adjustments: [] },
  expired: { payment: { ...OPEN, state: 'expired' }, adjustments: [] },
  unbookable: { payment: { ...OPEN, state: 'unbookable', problem: 'maximum-balance' }, adjustments: [] },
  paid: booked('paid', []),
  'partly-refunded': booked('partly-refunded', [refundOf('r1', 400n, '36')]),
  refunded: booked('refunded', [refundOf('r1', 1000n, '90')]),
  disputed: booked('disputed', [disputeOf('open')]),
  'dispute-won': booked('dispute-won', [disputeOf('won')]),
  'dispute-lost': booked('dispute-lost', [disputeOf('lost')]),
};

function booked(state: PaymentState, adjustments: readonly PaymentAdjustment[]): Situation {
  const refunded = adjustments.filter(({ kind }) => kind === 'refund').reduce((sum, { amount }) => sum + amount, 0n);
  return { payment: { ...OPEN, state, bookedAt: AT, refunded }, adjustments };
}

function report(differences: Partial<ReportedPayment> = {}): ReportedPayment {
  return { status: 'paid', amount: 1000n, currency: 'USD', refunds: [], failedRefunds: [], requestedRefunds: [], disputes: [], invoiceUrl: null, customer: null, method: null, ...differences };
}

function disputed(status: 'open' | 'won' | 'lost', amount = 1000n): Partial<ReportedPayment> {
  return { disputes: [{ id: 'd', amount, status }] };
}

function textOf(step: PaymentStep): string {
  switch (step.step) {
    case 'unbookable': return `unbookable: ${step.problem}`;
    case 'refunded': return `refunded ${step.refund.id} -${step.claimed.toString()}`;
    case 'disputed': return `disputed -${step.claimed.toString()}`;
    case 'refund-failed': return `refund-failed ${step.refund.id} +${step.returned.toString()}`;
    case 'dispute-won': return `dispute-won +${step.returned.toString()}`;
    case 'paid': case 'failed': case 'expired': case 'dispute-lost': return step.step;
    default: return assertNever(step);
  }
}

/** Shows steps and state as `step, step → state`. */
function shown({ steps, after }: PaymentDecision): string {
  return `${steps.map(textOf).join(', ')} → ${after.state}`;
}

function decided(situation: Situation, reported: ReportedPayment, account: { readonly balance?: Balance; readonly isDeleted?: boolean } = {}): PaymentDecision {
  return decidePayment({ ...situation, expired: ZERO, account: { balance: EMPTY, isDeleted: false, ...account } }, reported);
}

const REPORTS = {
  open: report({ status: 'open' }),
  failed: report({ status: 'failed' }),
  expired: report({ status: 'expired' }),
  paid: report(),
  'paid, another amount': report({ amount: 999n }),
  'paid, another currency': report({ currency: 'EUR' }),
  'refund of 4.00': report({ refunds: [{ id: 'r1', amount: 400n }] }),
  'refunds of all': report({ refunds: [{ id: 'r1', amount: 400n }, { id: 'r2', amount: 600n }] }),
  'dispute opened': report(disputed('open')),
  'dispute won': report(disputed('won')),
  'dispute lost': report(disputed('lost')),
} as const;

/** The decisions in each state, in the order of `REPORTS`. Steps that take or return tokens show how many. */
const TABLE: Readonly<Record<PaymentState, readonly string[]>> = {
  open: [
    ' → open', 'failed → failed', 'expired → expired', 'paid → paid', 'unbookable: wrong-amount → unbookable', 'unbookable: wrong-currency → unbookable',
    'paid, refunded r1 -36 → partly-refunded', 'paid, refunded r1 -36, refunded r2 -54 → refunded',
    'paid, disputed -90 → disputed', 'paid, dispute-won +0 → dispute-won', 'paid, disputed -90, dispute-lost → dispute-lost',
  ],
  failed: [
    ' → failed', ' → failed', ' → failed', 'paid → paid', 'unbookable: wrong-amount → unbookable', 'unbookable: wrong-currency → unbookable',
    'paid, refunded r1 -36 → partly-refunded', 'paid, refunded r1 -36, refunded r2 -54 → refunded',
    'paid, disputed -90 → disputed', 'paid, dispute-won +0 → dispute-won', 'paid, disputed -90, dispute-lost → dispute-lost',
  ],
  expired: [
    ' → expired', ' → expired', ' → expired', 'paid → paid', 'unbookable: wrong-amount → unbookable', 'unbookable: wrong-currency → unbookable',
    'paid, refunded r1 -36 → partly-refunded', 'paid, refunded r1 -36, refunded r2 -54 → refunded',
    'paid, disputed -90 → disputed', 'paid, dispute-won +0 → dispute-won', 'paid, disputed -90, dispute-lost → dispute-lost',
  ],
  unbookable: [
    ' → unbookable', ' → unbookable', ' → unbookable', 'paid → paid', 'unbookable: wrong-amount → unbookable', 'unbookable: wrong-currency → unbookable',
    'paid, refunded r1 -36 → partly-refunded', 'paid, refunded r1 -36, refunded r2 -54 → refunded',
    'paid, disputed -90 → disputed', 'paid, dispute-won +0 → dispute-won', 'paid, disputed -90, dispute-lost → dispute-lost',
  ],
  paid: [
    ' → paid', ' → paid', ' → paid', ' → paid', ' → paid', ' → paid', 'refunded r1 -36 → partly-refunded', 'refunded r1 -36, refunded r2 -54 → refunded',
    'disputed -90 → disputed', 'dispute-won +0 → dispute-won', 'disputed -90, dispute-lost → dispute-lost',
  ],
  'partly-refunded': [
    ' → partly-refunded', ' → partly-refunded', ' → partly-refunded', ' → partly-refunded', ' → partly-refunded', ' → partly-refunded',
    ' → partly-refunded', 'refunded r2 -54 → refunded',
    'disputed -54 → disputed', 'dispute-won +0 → partly-refunded', 'disputed -54, dispute-lost → dispute-lost',
  ],
  refunded: [
    ' → refunded', ' → refunded', ' → refunded', ' → refunded', ' → refunded', ' → refunded', ' → refunded', 'refunded r2 -0 → refunded',
    'disputed -0 → disputed', 'dispute-won +0 → refunded', 'disputed -0, dispute-lost → dispute-lost',
  ],
  disputed: [
    ' → disputed', ' → disputed', ' → disputed', ' → disputed', ' → disputed', ' → disputed', 'refunded r1 -0 → disputed', 'refunded r1 -0, refunded r2 -0 → disputed',
    ' → disputed', 'dispute-won +90 → dispute-won', 'dispute-lost → dispute-lost',
  ],
  'dispute-won': [
    ' → dispute-won', ' → dispute-won', ' → dispute-won', ' → dispute-won', ' → dispute-won', ' → dispute-won',
    'refunded r1 -36 → partly-refunded', 'refunded r1 -36, refunded r2 -54 → refunded', ' → dispute-won', ' → dispute-won', ' → dispute-won',
  ],
  'dispute-lost': [
    ' → dispute-lost', ' → dispute-lost', ' → dispute-lost', ' → dispute-lost', ' → dispute-lost', ' → dispute-lost',
    'refunded r1 -0 → dispute-lost', 'refunded r1 -0, refunded r2 -0 → dispute-lost', ' → dispute-lost', 'dispute-won +90 → dispute-won', ' → dispute-lost',
  ],
};

describe('decidePayment', () => {
  it.each(PAYMENT_STATES)('decides every report of a payment that is %s', (state) => {
    expect(Object.values(REPORTS).map((reported) => shown(decided(SITUATIONS[state], reported)))).toEqual(TABLE[state]);
  });

  it('keeps the problem of a payment until the payment is booked', () => {
    const { payment } = SITUATIONS.unbookable;
    expect(decided(SITUATIONS.unbookable, report({ status: 'open' })).after.problem).toBe('maximum-balance');
    expect(decided(SITUATIONS.unbookable, report()).after).toEqual({ state: 'paid', problem: null, refunded: 0n });
    expect(shown(decided({ payment: { ...payment, problem: 'wrong-amount' }, adjustments: [] }, REPORTS['paid, another amount']))).toBe(' → unbookable');
  });

  it('does not book a payment on a deleted account or above the maximum balance', () => {
    expect(shown(decided(SITUATIONS.open, report(), { isDeleted: true }))).toBe('unbookable: account-deleted → unbookable');
    const full = { posted: MAX_BALANCE.minus(tokens('89.999999')), reserved: ZERO };
    expect(shown(decided(SITUATIONS.open, report(), { balance: full }))).toBe('unbookable: maximum-balance → unbookable');
    expect(shown(decided(SITUATIONS.open, report(), { balance: { ...full, posted: MAX_BALANCE.minus(tokens('90')) } }))).toBe('paid → paid');
  });

  it('does not book a payment that was refunded before it could be booked', () => {
    const partly: Situation = { ...SITUATIONS.unbookable, adjustments: [{ ...refundOf('r1', 400n, '0') }] };
    expect(shown(decided(partly, REPORTS['refund of 4.00']))).toBe(' → unbookable');
    expect(shown(decided(partly, REPORTS['refunds of all']))).toBe('refunded r2 -0 → refunded');
    expect(shown(decided(SITUATIONS.open, { ...REPORTS['refunds of all'], amount: 999n }))).toBe('unbookable: wrong-amount, refunded r1 -0, refunded r2 -0 → refunded');
  });

  it('returns only what a dispute took when the dispute is won', () => {
    expect(shown(decided(booked('disputed', [disputeOf('open', '90', '70')]), REPORTS['dispute won']))).toBe('dispute-won +20 → dispute-won');
  });

  it('opens no dispute that is first reported as won', () => {
    const { steps } = decided(SITUATIONS.paid, REPORTS['dispute won']);
    expect(steps).toEqual([{ step: 'dispute-won', dispute: { id: 'd', amount: 1000n, status: 'won' }, returned: ZERO }]);
  });

  it('counts each of several disputes once; together they take at most the tokens of the payment', () => {
    const disputes = [{ id: 'd1', amount: 700n, status: 'open' }, { id: 'd2', amount: 700n, status: 'open' }] as const;
    expect(shown(decided(SITUATIONS.paid, report({ disputes })))).toBe('disputed -63, disputed -27 → disputed');
    const both = booked('disputed', [{ ...disputeOf('open', '63'), id: 'd1', amount: 700n }, { ...disputeOf('open', '27'), id: 'd2', amount: 700n }]);
    expect(shown(decided(both, report({ disputes })))).toBe(' → disputed');
    expect(shown(decided(both, report({ disputes: disputes.toReversed() })))).toBe(' → disputed');
    expect(shown(decided(both, report({ disputes: [{ id: 'd1', amount: 700n, status: 'won' }, disputes[1]] })))).toBe('dispute-won +63 → disputed');
    expect(shown(decided(both, report({ disputes: [{ id: 'd1', amount: 700n, status: 'won' }, { id: 'd2', amount: 700n, status: 'lost' }] })))).toBe('dispute-won +63, dispute-lost → dispute-lost');
    expect(shown(decided(SITUATIONS['dispute-won'], report({ disputes: [{ id: 'd', amount: 1000n, status: 'won' }, disputes[0]] })))).toBe('disputed -63 → disputed');
  });

  it('takes back no tokens that have expired already', () => {
    const facts = { ...SITUATIONS.paid, account: { balance: EMPTY, isDeleted: false } };
    const claims = (expired: string, reported: ReportedPayment) => shown(decidePayment({ ...facts, expired: tokens(expired) }, reported));
    expect([claims('60', REPORTS['refund of 4.00']), claims('60', REPORTS['dispute opened'])]).toEqual(['refunded r1 -30 → partly-refunded', 'disputed -30 → disputed']);
    expect(claims('90', REPORTS['refunds of all'])).toBe('refunded r1 -0, refunded r2 -0 → refunded');
  });

  it('takes exactly the tokens of the payment if it is refunded in thirds', () => {
    const thirds = { ...OPEN, bookedAt: AT, state: 'paid' as const, amount: 3n, tokens: tokens('0.000010') };
    const refunds = ['a', 'b', 'c'].map((id) => ({ id, amount: 1n }));
    expect(shown(decided({ payment: thirds, adjustments: [] }, report({ amount: 3n, refunds })))).toBe('refunded a -0.000003, refunded b -0.000003, refunded c -0.000004 → refunded');
  });

  it('ignores refunds and disputes of a payment that is not paid, and refunds of zero', () => {
    expect(shown(decided(SITUATIONS.open, report({ status: 'open', refunds: [{ id: 'r1', amount: 1n }], ...disputed('open') })))).toBe(' → open');
    expect(shown(decided(SITUATIONS.paid, report({ refunds: [{ id: 'r1', amount: 0n }] })))).toBe(' → paid');
  });
});

describe('a refund that failed', () => {
  const failed = report({ failedRefunds: ['r1'] });

  it.each<readonly [string, Situation, string]>([
    ['of a part', SITUATIONS['partly-refunded'], 'refund-failed r1 +36 → paid'],
    ['of all', SITUATIONS.refunded, 'refund-failed r1 +90 → paid'],
    ['that took a part of its tokens', booked('refunded', [{ ...refundOf('r1', 1000n, '90'), uncovered: tokens('70') }]), 'refund-failed r1 +20 → paid'],
    ['that is one of two', booked('refunded', [refundOf('r1', 400n, '36'), refundOf('r2', 600n, '54')]), 'refund-failed r1 +36 → partly-refunded'],
    ['that took no tokens, of a payment that was not booked', { ...SITUATIONS.unbookable, adjustments: [refundOf('r1', 1000n, '0')] }, 'refund-failed r1 +0 → unbookable'],
    ['that was not reported before', SITUATIONS.paid, ' → paid'],
    ['that was reported as failed before', booked('paid', [{ ...refundOf('r1', 400n, '36'), status: 'failed' }]), ' → paid'],
  ])('returns what it took, once: a refund %s', (_case, situation, expected) => {
    expect(shown(decided(situation, failed))).toBe(expected);
  });

  it('takes nothing if it is reported again as done; the next refund or a dispute can take its tokens', () => {
    const after = booked('paid', [{ ...refundOf('r1', 400n, '36'), status: 'failed' }]);
    expect(shown(decided(after, REPORTS['refund of 4.00']))).toBe(' → paid');
    expect(shown(decided(after, report({ refunds: [{ id: 'r2', amount: 1000n }], failedRefunds: ['r1'] })))).toBe('refunded r2 -90 → refunded');
    expect(shown(decided(after, REPORTS['dispute opened']))).toBe('disputed -90 → disputed');
    expect(shown(decided(SITUATIONS['partly-refunded'], report({ refunds: [{ id: 'r2', amount: 1000n }], failedRefunds: ['r1'] })))).toBe('refund-failed r1 +36, refunded r2 -90 → refunded');
  });

  it('returns its tokens only once the balance has room, as does a dispute that is won at the same time', () => {
    const { payment, adjustments } = booked('disputed', [refundOf('r1', 400n, '36'), disputeOf('open', '54')]);
    const reported = report({ failedRefunds: ['r1'], ...disputed('won') });
    const roomFor = (text: string) => ({ balance: { posted: MAX_BALANCE.minus(tokens(text)), reserved: ZERO }, isDeleted: false });
    expect(decidePayment({ expired: ZERO, payment, adjustments, account: roomFor('35.999999') }, reported)).toEqual({ steps: [], after: { state: 'disputed', problem: 'maximum-balance', refunded: 400n } });
    expect(decidePayment({ expired: ZERO, payment, adjustments, account: roomFor('89.999999') }, reported)).toMatchObject({ steps: [{ step: 'refund-failed' }], after: { state: 'disputed', problem: 'maximum-balance', refunded: 0n } });
    const waiting = { ...payment, problem: 'maximum-balance' as const };
    expect(decidePayment({ expired: ZERO, payment: waiting, adjustments, account: roomFor('90') }, reported)).toMatchObject({ steps: [{ step: 'refund-failed' }, { step: 'dispute-won' }], after: { state: 'dispute-won', problem: null } });
  });
});

describe('a dispute that is won while the balance has no room', () => {
  const full = { balance: { posted: MAX_BALANCE, reserved: ZERO }, isDeleted: false };
  const won = report({ disputes: [{ id: 'd', amount: 1000n, status: 'won' }] });

  it.each([['disputed', 'open'], ['dispute-lost', 'lost']] as const)('of a payment that is %s, waits and returns its tokens with the next report once there is room', (state, status) => {
    const { payment, adjustments } = booked(state, [disputeOf(status)]);
    const waiting = decidePayment({ expired: ZERO, payment, adjustments, account: full }, won);
    expect(waiting).toEqual({ steps: [], after: { state, problem: 'maximum-balance', refunded: 0n } });
    const later = decidePayment({ expired: ZERO, payment: { ...payment, ...waiting.after }, adjustments, account: { ...full, balance: EMPTY } }, won);
    expect(later).toMatchObject({ steps: [{ step: 'dispute-won', returned: tokens('90') }], after: { state: 'dispute-won', problem: null } });
  });

  it('is recorded as won at once if it had taken no tokens', () => {
    const { payment, adjustments } = booked('disputed', [disputeOf('open', '90', '90')]);
    expect(decidePayment({ expired: ZERO, payment, adjustments, account: full }, won)).toMatchObject({ steps: [{ step: 'dispute-won', returned: ZERO }], after: { state: 'dispute-won', problem: null } });
  });
});
