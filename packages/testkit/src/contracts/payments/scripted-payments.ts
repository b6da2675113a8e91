import {
  type ChargeOutcome, type ChargeRequest, type CheckoutRequest, later, MILLISECONDS_PER_HOUR, type PaymentProvider, PaymentProviderFailure, type RefundRequest, type ReportedPayment, type StartedCheckout,
} from '@tollgate/core';
import { STORE_NOON } from '../store-subject.js';

/** A provider whose reports the test changes at will. */
export class ScriptedPayments implements PaymentProvider {
  readonly id = 'scripted';
  readonly isSimulated = true;
  readonly reports = new Map<string, ReportedPayment>();
  /** The ids of requested refunds, including repeated requests. */
  readonly refundRequests: string[] = [];
  /** Thrown by every call unless `null`. */
  failure: PaymentProviderFailure | null = null;
  /** Thrown by refunds unless `null`. */
  refundFailure: PaymentProviderFailure | null = null;

  async startCheckout({ payment, amount, currency }: CheckoutRequest): Promise<StartedCheckout> {
    this.#check();
    const reference = `ref_${payment}`;
    if (!this.reports.has(reference)) this.reports.set(reference, { status: 'open', amount, currency, refunds: [], failedRefunds: [], dispute: null, invoiceUrl: null, customer: 'cus_1', method: null });
    return { reference, url: `https://pay.example.test/${reference}`, expiresAt: later(STORE_NOON, MILLISECONDS_PER_HOUR) };
  }

  async ask(reference: string): Promise<ReportedPayment> {
    this.#check();
    return this.reportOf(reference);
  }

  /** The payments whose charges were requested, including repeated requests. */
  readonly chargeRequests: string[] = [];
  /** How the next new charges end. */
  chargeOutcome: ChargeOutcome['outcome'] | 'refused' = 'paid';
  /** Thrown after the charge was made unless `null`, as if the process were killed before the answer. */
  failureAfterCharge: Error | null = null;

  async charge({ payment, amount, currency, customer }: ChargeRequest): Promise<ChargeOutcome> {
    this.chargeRequests.push(payment);
    this.#check();
    if (this.chargeOutcome === 'refused') throw new PaymentProviderFailure('refused', 'the method was removed');
    const reference = `ref_${payment}`;
    const status = ({ paid: 'paid', declined: 'failed', pending: 'open', 'needs-authentication': 'open' } as const)[this.chargeOutcome];
    if (!this.reports.has(reference)) this.reports.set(reference, { status, amount, currency, refunds: [], failedRefunds: [], dispute: null, invoiceUrl: null, customer, method: null });
    if (this.failureAfterCharge !== null) throw this.failureAfterCharge;
    return this.chargeOutcome === 'needs-authentication' ? { outcome: 'needs-authentication', reference, url: `https://pay.example.test/${reference}` } : { outcome: this.chargeOutcome, reference };
  }

  async openPortal({ returnUrl }: { readonly returnUrl: string }): Promise<{ readonly url: string }> {
    return { url: returnUrl };
  }

  async refund({ refund, reference, amount }: RefundRequest): Promise<{ readonly reference: string }> {
    this.refundRequests.push(refund);
    this.#check();
    if (this.refundFailure !== null) throw this.refundFailure;
    const id = `re_${refund}`;
    const { refunds, failedRefunds } = this.reportOf(reference);
    if (!failedRefunds.includes(id) && !refunds.some((known) => known.id === id)) this.report(reference, { refunds: [...refunds, { id, amount }] });
    return { reference: id };
  }

  /** A notification is signed if it begins with `signed `; it names references, separated by blanks. */
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
