import type { AccountId } from '../primitives/ids.js';
import { isReversal, type MoneyAct, type MoneyActKind, REVERSAL_PREFIX } from './money-act.js';

interface ReferencedPayment {
  readonly provider: string;
  /** `pay_…` */
  readonly id: string;
}

export function paymentReferenceOf({ provider, id }: ReferencedPayment): string {
  return `${provider}:${id}`;
}

export function paymentRefundReferenceOf(payment: ReferencedPayment, refundId: string): string {
  return `${paymentReferenceOf(payment)}:refund:${refundId}`;
}

export function disputeReferenceOf(payment: ReferencedPayment, disputeId: string): string {
  return `${paymentReferenceOf(payment)}:dispute:${disputeId}`;
}

/** Of the act that returns what a dispute took. */
export function wonDisputeReferenceOf(payment: ReferencedPayment, disputeId: string): string {
  return `${disputeReferenceOf(payment, disputeId)}:won`;
}

export const VOUCHER_PREFIX = 'voucher:';

export function voucherReferenceOf(voucherId: string, accountId: AccountId): string {
  return `${VOUCHER_PREFIX}${voucherId}:${accountId}`;
}

/** Followed by what identifies the expired credit. */
export const EXPIRY_PREFIX = 'expiry:';

export function forfeitureReferenceOf(accountId: AccountId): string {
  return `deletion of ${accountId}`;
}

const OF_PAYMENT = /^[a-z][a-z0-9-]*:pay_[^:]*/;

function kindOfPaymentReference(rest: string): MoneyActKind {
  if (rest.startsWith(':refund:')) return 'payment-refund';
  return rest.startsWith(':dispute:') ? 'dispute' : 'payment';
}

/** The only kind that may have the reference; `null` if any may. */
function reservedFor({ reference, accountId }: Pick<MoneyAct, 'reference' | 'accountId'>): MoneyActKind | null {
  if (reference.startsWith(REVERSAL_PREFIX)) return 'refund';
  if (reference === forfeitureReferenceOf(accountId)) return 'forfeiture';
  if (reference.startsWith(VOUCHER_PREFIX)) return 'voucher';
  if (reference.startsWith(EXPIRY_PREFIX)) return 'expiry';
  const [payment] = OF_PAYMENT.exec(reference) ?? [];
  return payment === undefined ? null : kindOfPaymentReference(reference.slice(payment.length));
}

/** Kinds that only the gateway books. */
const OWN_KINDS: readonly MoneyActKind[] = ['voucher', 'payment', 'payment-refund', 'dispute', 'expiry'];

/** True if the reference is reserved for another kind, or the kind needs a reserved reference. */
export function hasForeignReference(act: MoneyAct): boolean {
  const kind = reservedFor(act);
  if (kind === null) return OWN_KINDS.includes(act.kind);
  return kind !== act.kind || (kind === 'refund' && !isReversal(act));
}
