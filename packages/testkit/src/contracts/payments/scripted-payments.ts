import {
  type ChargeOutcome, type ChargeRequest, type CheckoutRequest, later, MILLISECONDS_PER_HOUR, type PaymentProvider, PaymentProviderFailure, type RefundRequest, type ReportedPayment, type StartedCheckout,
} from '@tollgate/core';
import { STORE_NOON } from '../store-subject.js';

/** A provider that reports what the test sets. */
export class ScriptedPayments implements PaymentProvider {
  readonly id = 'scripted';
  readonly isSimulated = true;
  readonly reports = new Map<string, ReportedPayment>();
  /** The id of every refund request in order; a repeated request appears again. */
  readonly refundRequests: string[] = [];
  /** Every call except `readNotification` throws this error unless it is `null`. */
  failure: PaymentProviderFailure | null = null;
  /** Every question about a payment throws this error unless it is `null`. */
  askFailure: PaymentProviderFailure | null = null;
  /** Every refund throws this error unless it is `null`. */
  refundFailure: PaymentProviderFailure | null = null;
  /** Ids of refunds whose requests get no answer. */
  unansweredRefunds: readonly string[] = [];
  /** True if new refunds stay pending. */
  areRefundsPending = false;
  /** Every refund throws this error after it was made, unless it is `null`. */
  refundFailureAfter: PaymentProviderFailure | null = null;

  async startCheckout({ payment, amount, currency }: CheckoutRequest): Promise<StartedCheckout> {
    this.#check();
    const reference = `ref_${payment}`;
    if (!this.reports.has(reference)) this.reports.set(reference, { status: 'open', amount, currency, refunds: [], failedRefunds: [], requestedRefunds: [], disputes: [], invoiceUrl: null, customer: 'cus_1', method: null });
    return { reference, url: `https://pay.example.test/${reference}`, expiresAt: later(STORE_NOON, MILLISECONDS_PER_HOUR) };
  }

  async ask(reference: string): Promise<ReportedPayment> {
    this.#check();
    if (this.askFailure !== null) throw this.askFailure;
    return this.reportOf(reference);
  }

  /** The payment of every charge request in order; a repeated request appears again. */
  readonly chargeRequests: string[] = [];
  /** The outcome of new charges. */
  chargeOutcome: ChargeOutcome['outcome'] | 'refused' = 'paid';
  /** Every charge throws this error after it was made, unless it is `null`. Simulates a process that is killed before the answer. */
  failureAfterCharge: Error | null = null;

  async charge({ payment, amount, currency, customer }: ChargeRequest): Promise<ChargeOutcome> {
    this.chargeRequests.push(payment);
    this.#check();
    if (this.chargeOutcome === 'refused') throw new PaymentProviderFailure('refused', 'the method was removed');
    const reference = `ref_${payment}`;
    const status = ({ paid: 'paid', declined: 'failed', pending: 'open', 'needs-authentication': 'open' } as const)[this.chargeOutcome];
    if (!this.reports.has(reference)) this.reports.set(reference, { status, amount, currency, refunds: [], failedRefunds: [], requestedRefunds: [], disputes: [], invoiceUrl: null, customer, method: null });
    if (this.failureAfterCharge !== null) throw this.failureAfterCharge;
    return this.chargeOutcome === 'needs-authentication' ? { outcome: 'needs-authentication', reference, url: `https://pay.example.test/${reference}` } : { outcome: this.chargeOutcome, reference };
  }

  async openPortal({ returnUrl }: { readonly returnUrl: string }): Promise<{ readonly url: string }> {
    this.#check();
    return { url: returnUrl };
  }

  async refund({ refund, reference, amount }: RefundRequest): Promise<{ readonly reference: string }> {
    this.refundRequests.push(refund);
    this.#check();
    if (this.refundFailure !== null) throw this.refundFailure;
    if (this.unansweredRefunds.includes(refund)) throw new PaymentProviderFailure('unavailable', 'no answer');
    const id = `re_${refund}`;
    const { refunds, requestedRefunds } = this.reportOf(reference);
    if (!requestedRefunds.some((known) => known.id === id)) {
      this.report(reference, { requestedRefunds: [...requestedRefunds, { request: refund, id }], ...(this.areRefundsPending ? {} : { refunds: [...refunds, { id, amount }] }) });
    }
    if (this.refundFailureAfter !== null) throw this.refundFailureAfter;
    return { reference: id };
  }

  /** Reads a notification, which is `signed` and the references of payments, separated by spaces. Refuses any other first word. */
  async readNotification(body: Uint8Array): Promise<readonly string[]> {
    const [signature, ...references] = Buffer.from(body).toString('utf8').split(' ');
    if (signature !== 'signed') throw new PaymentProviderFailure('invalid-notification', 'the signature is wrong');
    return references;
  }

  report(reference: string, change: Partial<ReportedPayment>): void {
    this.reports.set(reference, { ...this.reportOf(reference), ...change });
  }

  reportOf(reference: string): ReportedPayment {
    const report = this.reports.get(reference);
    if (report === undefined) throw new PaymentProviderFailure('refused', `there is no payment ${reference}`);
    return report;
  }

  #check(): void {
    if (this.failure !== null) throw this.failure;
  }
}
