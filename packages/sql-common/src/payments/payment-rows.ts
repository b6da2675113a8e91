import {
  type AccountId, type Payment, type PaymentAdjustment, type PaymentId, type PaymentProblem, type PaymentRefundId, type PaymentState, type RequestedRefund, ServiceTokens,
} from '@tollgate/core';
import type { Insertable, Selectable } from 'kysely';
import { columnsOf } from '../schema/column-lists.js';
import { flagFromColumn, flagToColumn, instantFromColumn, instantOrNull } from '../schema/column-values.js';
import { storableTextOrNull } from '../schema/storable-text.js';
import type { PaymentAdjustmentTable, PaymentRefundTable, PaymentTable } from '../schema/payment-tables.js';

export const PAYMENT_COLUMNS = columnsOf<PaymentTable>({
  id: true, account_id: true, provider: true, reference: true, origin: true, state: true, problem: true, amount: true, currency: true, tokens: true, credit_expires_after_days: true, package_id: true, saves_method: true,
  booked_at: true, refunded: true, uncovered: true, customer: true, method: true, invoice_url: true, url: true, created_at: true, changed_at: true, checked_at: true, next_check_at: true,
});

export function paymentFromRow(row: Selectable<PaymentTable>): Payment {
  return {
    id: row.id as PaymentId, accountId: row.account_id as AccountId, provider: row.provider, reference: row.reference, origin: row.origin as Payment['origin'],
    state: row.state as PaymentState, problem: row.problem as PaymentProblem | null, amount: row.amount, currency: row.currency, tokens: ServiceTokens.fromUnits(row.tokens),
    creditExpiresAfterDays: row.credit_expires_after_days === null ? null : Number(row.credit_expires_after_days), packageId: row.package_id, savesMethod: flagFromColumn(row.saves_method), bookedAt: instantOrNull(row.booked_at), refunded: row.refunded, uncovered: ServiceTokens.fromUnits(row.uncovered),
    customer: row.customer, method: row.method, invoiceUrl: row.invoice_url, url: row.url, createdAt: instantFromColumn(row.created_at), changedAt: instantFromColumn(row.changed_at),
    checkedAt: instantOrNull(row.checked_at),
  };
}

export function paymentToRow(payment: Payment, nextCheckAt: number | null): Insertable<PaymentTable> {
  return {
    id: payment.id, account_id: payment.accountId, provider: payment.provider, reference: payment.reference, origin: payment.origin, state: payment.state, problem: payment.problem,
    amount: payment.amount, currency: payment.currency, tokens: payment.tokens.toUnits(), credit_expires_after_days: payment.creditExpiresAfterDays ?? null, package_id: payment.packageId, saves_method: flagToColumn(payment.savesMethod),
    booked_at: payment.bookedAt, refunded: payment.refunded, uncovered: payment.uncovered.toUnits(), customer: storableTextOrNull(payment.customer), method: storableTextOrNull(payment.method),
    invoice_url: storableTextOrNull(payment.invoiceUrl), url: storableTextOrNull(payment.url), created_at: payment.createdAt, changed_at: payment.changedAt, checked_at: payment.checkedAt,
    next_check_at: nextCheckAt,
  };
}

export function adjustmentFromRow(row: Omit<Selectable<PaymentAdjustmentTable>, 'seq' | 'payment_id' | 'at'>): PaymentAdjustment {
  return {
    kind: row.kind as PaymentAdjustment['kind'], id: row.id, amount: row.amount, status: row.status as PaymentAdjustment['status'], claimed: ServiceTokens.fromUnits(row.claimed),
    uncovered: ServiceTokens.fromUnits(row.uncovered),
  };
}

export const REFUND_COLUMNS = columnsOf<PaymentRefundTable>({ id: true, payment_id: true, amount: true, state: true, reference: true, requested_at: true });

export function refundFromRow(row: Selectable<PaymentRefundTable>): RequestedRefund {
  return {
    id: row.id as PaymentRefundId, paymentId: row.payment_id as PaymentId, amount: row.amount, state: row.state as RequestedRefund['state'], reference: row.reference,
    requestedAt: instantFromColumn(row.requested_at),
  };
}
