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

/** Reference of the act that returns what a refund took. */
export function failedRefundReferenceOf(payment: ReferencedPayment, refundId: string): string {
  return `${paymentRefundReferenceOf(payment, refundId)}:failed`;
}

export function disputeReferenceOf(payment: ReferencedPayment, disputeId: string): string {
  return `${paymentReferenceOf(payment)}:dispute:${disputeId}`;
}

/** Reference of the act that returns what a dispute took. */
export function wonDisputeReferenceOf(payment: ReferencedPayment, disputeId: string): string {
  return `${disputeReferenceOf(payment, disputeId)}:won`;
}

export const VOUCHER_PREFIX = 'voucher:';

export function voucherReferenceOf(voucherId: string, accountId: AccountId): string {
  return `${VOUCHER_PREFIX}${voucherId}:${accountId}`;
}

/** Followed by the number of the credit's ledger entry, `:`, and the number of the account's newest entry when the credit left was derived. */
export const EXPIRY_PREFIX = 'expiry:';

export function expiryReferenceOf({ credit, through }: { readonly credit: bigint; readonly through: bigint }): string {
  return `${EXPIRY_PREFIX}${credit}:${through}`;
}

/** Number of the expired credit's ledger entry; 0 for a reference that names none. */
export function creditEntryOf(expiryReference: string): bigint {
  const [, digits = '0'] = /^expiry:(\d{1,19}):\d{1,19}$/.exec(expiryReference) ?? [];
  return BigInt(digits);
}

/** Reference of the payment that a refund or dispute takes back. */
export function takenBackReferenceOf(reference: string): string {
  return reference.split(':', 2).join(':');
}

export function forfeitureReferenceOf(accountId: AccountId): string {
  return `deletion of ${accountId}`;
}

const OF_PAYMENT = /^[a-z][a-z0-9-]*:pay_[^:]*/;

function kindOfPaymentReference(rest: string): MoneyActKind {
  if (rest.startsWith(':refund:')) return 'payment-refund';
  return rest.startsWith(':dispute:') ? 'dispute' : 'payment';
}

/** The only kind that may have the reference; `null` if the reference is not reserved. */
function reservedFor({ reference, accountId }: Pick<MoneyAct, 'reference' | 'accountId'>): MoneyActKind | null {
  if (reference.startsWith(REVERSAL_PREFIX)) return 'refund';
  if (reference === forfeitureReferenceOf(accountId)) return 'forfeiture';
  if (reference.startsWith(VOUCHER_PREFIX)) return 'voucher';
  if (reference.startsWith(EXPIRY_PREFIX)) return 'expiry';
  const [payment] = OF_PAYMENT.exec(reference) ?? [];
  return payment === undefined ? null : kindOfPaymentReference(reference.slice(payment.length));
}

/** Kinds that need a reserved reference. */
const OWN_KINDS: readonly MoneyActKind[] = ['voucher', 'payment', 'payment-refund', 'dispute', 'expiry'];

/** True if the reference is reserved for another act, or if the kind needs a reserved reference and this one is not reserved. */
export function hasForeignReference(act: MoneyAct): boolean {
  const kind = reservedFor(act);
  if (kind === null) return OWN_KINDS.includes(act.kind);
  return kind !== act.kind || (kind === 'refund' && !isReversal(act));
}
