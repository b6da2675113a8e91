import { type Instant, later, MILLISECONDS_PER_MINUTE } from '../primitives/time.js';
import type { Clock } from '../primitives/clock.js';
import type { AccountId } from '../primitives/ids.js';
import {
  type ChargeOutcome, type ChargeRequest, type CheckoutRequest, type PaymentProvider, PaymentProviderFailure, type RefundRequest, type ReportedDispute, type ReportedPayment, type StartedCheckout,
} from './payment-provider.js';

/** A checkout in which no money moves. */
export interface SimulatedCheckout extends Pick<CheckoutRequest, 'payment' | 'accountId' | 'amount' | 'currency' | 'description' | 'details' | 'returnUrl' | 'cancelUrl' | 'saveMethod'> {
  readonly reference: string;
  readonly expiresAt: Instant;
  /** Payment method that is saved when this checkout is paid. */
  readonly method: string;
  readonly isDeclined: boolean;
  /** Time of the payment, in the future if it is paid late; `null` if the checkout is not paid. */
  readonly paidAt: Instant | null;
  readonly refunds: ReportedPayment['refunds'];
  readonly dispute: ReportedDispute | null;
}

/** Shared by all gateways of the installation. */
export interface SimulatedCheckouts {
  /** Does nothing if the reference exists. */
  create(checkout: SimulatedCheckout): Promise<void>;
  find(reference: string): Promise<SimulatedCheckout | null>;
  /** Atomic. Returns the checkout afterwards; `null` if it does not exist. */
  change(reference: string, change: (checkout: SimulatedCheckout) => SimulatedCheckout): Promise<SimulatedCheckout | null>;
}

/**
 * Acts that the page of a simulated checkout offers. After `pay-declines-later`, charges of the saved method are declined; after `pay-asks-later`,
 * they need authentication.
 */
export const SIMULATED_ACTS = ['pay', 'pay-declines-later', 'pay-asks-later', 'decline', 'pay-late', 'dispute', 'win-dispute', 'lose-dispute'] as const;
export type SimulatedAct = (typeof SIMULATED_ACTS)[number];

const PREFIX = 'sim_';
const OPEN_MILLISECONDS = 30 * MILLISECONDS_PER_MINUTE;
export const LATE_MILLISECONDS = MILLISECONDS_PER_MINUTE;
const METHOD = 'sim_method';
const DECLINED_METHOD = 'sim_method_declined';
/** The customer authenticates each charge of this method on the page of a checkout. */
const AUTHENTICATED_METHOD = 'sim_method_authenticated';
const CUSTOMER_PREFIX = 'sim_customer_';

export interface SimulatedPaymentsParts {
  readonly checkouts: SimulatedCheckouts;
  readonly clock: Clock;
  /** Address of the page of a checkout. */
  readonly pageOf: (reference: string) => string;
}

/** The provider `sandbox`: its checkout is a page of the gateway, and no money moves. */
export class SimulatedPayments implements PaymentProvider {
  readonly id = 'sandbox';
  readonly isSimulated = true;

  constructor(private readonly parts: SimulatedPaymentsParts) {}

  async startCheckout(request: CheckoutRequest): Promise<StartedCheckout> {
    const { reference, expiresAt } = await this.#create(request, { method: METHOD, paidAt: null, isDeclined: false });
    return { reference, url: this.parts.pageOf(reference), expiresAt };
  }

  async ask(reference: string): Promise<ReportedPayment> {
    return reportOf(await this.#find(reference), this.parts.clock.now());
  }

  async charge(request: ChargeRequest): Promise<ChargeOutcome> {
    const { method } = request;
    const isPaid = method === METHOD;
    const { reference } = await this.#create({ ...request, saveMethod: true }, { method, paidAt: isPaid ? this.parts.clock.now() : null, isDeclined: method === DECLINED_METHOD });
    if (method === AUTHENTICATED_METHOD) return { reference, outcome: 'needs-authentication', url: this.parts.pageOf(reference) };
    return { reference, outcome: isPaid ? 'paid' : 'declined' };
  }

  async openPortal({ returnUrl }: Parameters<PaymentProvider['openPortal']>[0]): Promise<{ readonly url: string }> {
    return { url: returnUrl };
  }

  async refund({ refund, reference, amount }: RefundRequest): Promise<{ readonly reference: string }> {
    const id = `${PREFIX}${refund}`;
    await this.#change(reference, (checkout) => {
      if (checkout.refunds.some((known) => known.id === id)) return checkout;
      const left = checkout.refunds.reduce((sum, known) => sum - known.amount, checkout.amount);
      if (reportOf(checkout, this.parts.clock.now()).status !== 'paid' || amount > left) throw new PaymentProviderFailure('refused', 'more than was paid and not yet refunded');
      return { ...checkout, refunds: [...checkout.refunds, { id, amount }] };
    });
    return { reference: id };
  }

  readNotification(): Promise<readonly string[]> {
    return Promise.reject(new PaymentProviderFailure('invalid-notification', 'the sandbox sends no notifications'));
  }

  find(reference: string, accountId: AccountId): Promise<SimulatedCheckout | null> {
    return this.#ofAccount(this.parts.checkouts.find(reference), accountId);
  }

  /** Performs an act of the customer or bank. An act that no longer applies changes nothing. `null` if the account has no such checkout. */
  async act(reference: string, act: SimulatedAct, accountId: AccountId): Promise<SimulatedCheckout | null> {
    if (await this.find(reference, accountId) === null) return null;
    const now = this.parts.clock.now();
    return this.parts.checkouts.change(reference, (checkout) => acted(checkout, act, now));
  }

  async #ofAccount(finding: Promise<SimulatedCheckout | null>, accountId: AccountId): Promise<SimulatedCheckout | null> {
    const checkout = await finding;
    return checkout?.accountId === accountId ? checkout : null;
  }

  async #create(request: CheckoutRequest, start: Pick<SimulatedCheckout, 'method' | 'paidAt' | 'isDeclined'>): Promise<SimulatedCheckout> {
    const { payment, accountId, amount, currency, description, details, returnUrl, cancelUrl, saveMethod } = request;
    const reference = `${PREFIX}${payment}`;
    const expiresAt = later(this.parts.clock.now(), OPEN_MILLISECONDS);
    await this.parts.checkouts.create({
      payment, accountId, amount, currency, description, details, returnUrl, cancelUrl, saveMethod, reference, expiresAt, ...start, refunds: [], dispute: null,
    });
    return this.#find(reference);
  }

  async #find(reference: string): Promise<SimulatedCheckout> {
    return found(await this.parts.checkouts.find(reference));
  }

  async #change(reference: string, change: (checkout: SimulatedCheckout) => SimulatedCheckout): Promise<void> {
    found(await this.parts.checkouts.change(reference, change));
  }
}

function found(checkout: SimulatedCheckout | null): SimulatedCheckout {
  if (checkout === null) throw new PaymentProviderFailure('refused', 'there is no such checkout');
  return checkout;
}

export function reportOf(checkout: SimulatedCheckout, now: Instant): ReportedPayment {
  const { accountId, amount, currency, refunds, dispute, saveMethod, method } = checkout;
  const isPaid = checkout.paidAt !== null && checkout.paidAt <= now;
  return {
    status: isPaid ? 'paid' : unpaidStatus(checkout, now), amount, currency, refunds: isPaid ? refunds : [], failedRefunds: [], requestedRefunds: refunds.map(({ id }) => ({ request: id.slice(PREFIX.length), id })), disputes: isPaid && dispute !== null ? [dispute] : [], invoiceUrl: null,
    customer: `${CUSTOMER_PREFIX}${accountId}`, method: isPaid && saveMethod ? method : null,
  };
}

function unpaidStatus({ isDeclined, expiresAt }: SimulatedCheckout, now: Instant): ReportedPayment['status'] {
  if (isDeclined) return 'failed';
  return expiresAt <= now ? 'expired' : 'open';
}

function acted(checkout: SimulatedCheckout, act: SimulatedAct, now: Instant): SimulatedCheckout {
  const isOpen = checkout.paidAt === null && !checkout.isDeclined && now < checkout.expiresAt;
  const { dispute } = checkout;
  switch (act) {
    case 'pay': return isOpen ? { ...checkout, paidAt: now } : checkout;
    case 'pay-declines-later': return isOpen ? { ...checkout, paidAt: now, method: DECLINED_METHOD } : checkout;
    case 'pay-asks-later': return isOpen ? { ...checkout, paidAt: now, method: AUTHENTICATED_METHOD } : checkout;
    case 'decline': return isOpen ? { ...checkout, isDeclined: true } : checkout;
    case 'pay-late': return isOpen ? { ...checkout, paidAt: later(now, LATE_MILLISECONDS) } : checkout;
    case 'dispute': return dispute === null && !checkout.isDeclined
      ? { ...checkout, paidAt: checkout.paidAt ?? now, dispute: { id: `${checkout.reference}_dispute`, amount: checkout.amount, status: 'open' } } : checkout;
    case 'win-dispute': return dispute?.status === 'open' ? { ...checkout, dispute: { ...dispute, status: 'won' } } : checkout;
    case 'lose-dispute': return dispute?.status === 'open' ? { ...checkout, dispute: { ...dispute, status: 'lost' } } : checkout;
    default: return checkout;
  }
}
