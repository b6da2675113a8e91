import type { NewEvent } from '../events/account-event.js';
import { currencyDecimal } from '../money/currency.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedAction } from '../platform/audited-act.js';
import { assertNever } from '../primitives/assert-never.js';
import type { JsonObject } from '../primitives/json.js';
import type { Instant } from '../primitives/time.js';
import type { PaymentStep } from './decide-payment.js';
import type { Payment } from './payment.js';

type Told = Pick<Payment, 'id' | 'accountId' | 'provider' | 'amount' | 'currency' | 'tokens'>;

/** Ids and figures only, for an event or an audit entry. */
function figuresOf({ id, provider, amount, currency, tokens }: Told): JsonObject {
  return { payment_id: id, provider, amount: currencyDecimal({ amount, currency }), currency, svc_tokens: tokens.toString() };
}

export function openedEvent(payment: Told & Pick<Payment, 'createdAt'>): NewEvent {
  return { type: 'payment.opened', accountId: payment.accountId, at: payment.createdAt, data: figuresOf(payment) };
}

/** `uncovered`: the part of the claimed amount that was not available. */
function detailsOf(step: PaymentStep, { currency }: Told, uncovered: ServiceTokens): JsonObject {
  switch (step.step) {
    case 'paid': case 'failed': case 'expired': return {};
    case 'unbookable': return { problem: step.problem };
    case 'refunded': return { refund_id: step.refund.id, refunded: currencyDecimal({ amount: step.refund.amount, currency }), ...takenOf(step.claimed, uncovered) };
    case 'refund-failed': return { refund_id: step.refund.id, refunded: currencyDecimal({ amount: step.refund.amount, currency }), svc_tokens_returned: step.returned.toString() };
    case 'disputed': return { dispute_id: step.dispute.id, disputed: currencyDecimal({ amount: step.dispute.amount, currency }), ...takenOf(step.claimed, uncovered) };
    case 'dispute-won': return { dispute_id: step.dispute.id, svc_tokens_returned: step.returned.toString() };
    case 'dispute-lost': return { dispute_id: step.dispute.id };
    default: return assertNever(step);
  }
}

function takenOf(claimed: ServiceTokens, uncovered: ServiceTokens): JsonObject {
  return { svc_tokens_taken: claimed.minus(uncovered).toString(), svc_tokens_uncovered: uncovered.toString() };
}

const TYPES = {
  paid: 'payment.paid', failed: 'payment.failed', expired: 'payment.expired', unbookable: 'payment.unbookable', refunded: 'payment.refunded', 'refund-failed': 'payment.refund_failed',
  disputed: 'payment.disputed', 'dispute-won': 'payment.dispute_won', 'dispute-lost': 'payment.dispute_lost',
} as const satisfies Readonly<Record<PaymentStep['step'], NewEvent['type']>>;

export function stepEvent(payment: Told, step: PaymentStep, { uncovered, at }: { readonly uncovered: ServiceTokens; readonly at: Instant }): NewEvent {
  return { type: TYPES[step.step], accountId: payment.accountId, at, data: { ...figuresOf(payment), ...detailsOf(step, payment, uncovered) } };
}

export function stepAction({ step }: PaymentStep): AuditedAction {
  return `payment.${step}`;
}
