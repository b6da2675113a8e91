import type { AccountRepository } from '../accounts/account-repository.js';
import { GatewayError } from '../errors/gateway-error.js';
import { tryInTurn } from '../errors/try-in-turn.js';
import { type CreditOffer, simulatedOffer } from '../models/credit-offer.js';
import type { CatalogueSource } from '../models/catalogue-source.js';
import { currencyDecimal, parseCurrencyAmount } from '../money/currency.js';
import { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedBy } from '../platform/actor.js';
import type { Clock } from '../primitives/clock.js';
import type { AccountId } from '../primitives/ids.js';
import { later, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_SECOND } from '../primitives/time.js';
import type { Payment, PaymentId, PaymentRefundId } from './payment.js';
import { endsTurn, type PaymentProvider, PaymentProviderFailure } from './payment-provider.js';
import { answerForOperator, answerOf, answerOrFailure, noRefundAmount, noSuchPayment, notInUse } from './payment-refusals.js';
import { type CreditChoice, purchaseOf } from './credit-purchase.js';
import { type PurchaseInWords, purchaseWords } from './purchase-words.js';
import type { PaymentDetail, PaymentPage, PaymentQuery, PaymentRecords } from './payment-records.js';
import { RefundRequests } from './refund-requests.js';

export interface PaymentIds {
  paymentId(): PaymentId;
  paymentRefundId(): PaymentRefundId;
}

export interface PaymentDeskParts {
  readonly records: PaymentRecords;
  /** `null` where payments are off. */
  readonly provider: PaymentProvider | null;
  readonly ids: PaymentIds;
  readonly clock: Clock;
  readonly catalogue: CatalogueSource;
  readonly accounts: Pick<AccountRepository, 'findById'>;
  /** True if a dispute suspends the account, unless its owner is an operator. */
  readonly suspendsOnDispute: boolean;
  /** What customers read instead of "service tokens". */
  readonly tokenWord?: string;
}

export interface StartPayment {
  readonly accountId: AccountId;
  readonly choice: CreditChoice;
  readonly saveMethod: boolean;
  readonly returnUrlOf: (id: PaymentId) => string;
  readonly cancelUrl: string;
}

export interface RefundPayment {
  readonly id: PaymentId;
  /** Decimal in the payment's currency; `null` for all that can still be refunded. */
  readonly amount: string | null;
  readonly reason: string;
}

/** How long the provider's last answer counts as current when an owner views a payment. */
const FRESH_MILLISECONDS = 2 * MILLISECONDS_PER_SECOND;
/** Starts and refunds payments of owners, and asks the provider about them. */
export class PaymentDesk {
  readonly #refunds: RefundRequests;

  constructor(private readonly parts: PaymentDeskParts) {
    this.#refunds = new RefundRequests({ ...parts, providerOf: (payment) => this.providerOf(payment), check: (payment) => this.check(payment) });
  }

  get provider(): PaymentProvider | null {
    return this.parts.provider;
  }

  /** Empty where payments are off. If the catalogue has no offer, a simulated provider has one of its own. */
  offer(): CreditOffer {
    const { provider, catalogue } = this.parts;
    const { creditOffer, usdPerServiceToken } = catalogue.current();
    if (provider === null) return { packages: [], custom: null };
    const isEmpty = creditOffer.packages.length === 0 && creditOffer.custom === null;
    return isEmpty && provider.isSimulated ? simulatedOffer(usdPerServiceToken) : creditOffer;
  }

  /**
   * Throws `not_found`, `invalid_request` (also if the provider refuses the amount), `too_many_attempts`, and `service_unavailable` if the provider
   * does not answer.
   */
  async start({ accountId, choice, saveMethod, returnUrlOf, cancelUrl }: StartPayment, by: AuditedBy): Promise<Payment> {
    const { records, ids, accounts } = this.parts;
    const provider = this.requireProvider();
    const { packageName, ...purchase } = purchaseOf(choice, this.offer());
    const account = await accounts.findById(accountId);
    if (account === null) throw new GatewayError('not_found', 'There is no such account.');
    const payment: Payment = {
      ...purchase, id: ids.paymentId(), accountId, provider: provider.id, reference: null, origin: 'checkout', state: 'open', problem: null, savesMethod: saveMethod, bookedAt: null, refunded: 0n,
      uncovered: ServiceTokens.ZERO, customer: null, method: null, invoiceUrl: null, url: null, createdAt: by.at, changedAt: by.at, checkedAt: null,
    };
    const customer = await records.customerOf(accountId, provider.id);
    if (await records.open(payment, by) === 'too-many') {
      throw new GatewayError('too_many_attempts', 'This account has started too many payments within an hour. Please try again later.', { retryAfterSeconds: MILLISECONDS_PER_HOUR / MILLISECONDS_PER_SECOND });
    }
    const { id, amount, currency } = payment;
    const checkout = await answerOf(provider.startCheckout({
      payment: id, accountId, email: account.email, customer, amount, currency, ...this.wordsOf({ ...purchase, packageName }), returnUrl: returnUrlOf(id), cancelUrl, saveMethod,
    }));
    await records.started(id, checkout);
    return { ...payment, reference: checkout.reference, url: checkout.url };
  }

  /** The account's customer at the provider; `null` before the account's first payment there, and where payments are off. */
  async customerOf(accountId: AccountId): Promise<string | null> {
    return this.provider === null ? null : this.parts.records.customerOf(accountId, this.provider.id);
  }

  find(id: PaymentId): Promise<PaymentDetail | null> {
    return this.parts.records.find(id);
  }

  list(query: PaymentQuery): Promise<PaymentPage> {
    return this.parts.records.list(query);
  }

  /**
   * Like `find`, but asks the provider first if the payment is open and the provider was not asked just before. If the provider does not answer,
   * returns what is stored.
   */
  async look(id: PaymentId): Promise<PaymentDetail | null> {
    const detail = await this.parts.records.find(id);
    if (detail === null || detail.payment.state !== 'open' || detail.payment.reference === null) return detail;
    const at = this.parts.clock.now();
    const isClaimed = await this.parts.records.claim(id, { since: later(at, -FRESH_MILLISECONDS), at });
    if (!isClaimed) return detail;
    return await answerOrFailure(this.check(detail.payment)) instanceof PaymentProviderFailure ? detail : this.parts.records.find(id);
  }

  /**
   * Asks the provider about the payment, applies the report and returns the payment afterwards. Returns it unchanged if it has no reference or its
   * provider is not in use. Throws `PaymentProviderFailure`.
   */
  async check(payment: Payment): Promise<Payment> {
    const { records, clock, suspendsOnDispute } = this.parts;
    const provider = this.providerOf(payment);
    if (payment.reference === null || provider === null) return payment;
    const report = await provider.ask(payment.reference);
    return await records.apply(payment.id, report, { at: clock.now(), suspends: suspendsOnDispute }) ?? payment;
  }

  /**
   * `check` at the request of an operator. Throws `not_found`, `conflict` if the provider of the payment is not in use or refuses the request, and
   * `service_unavailable` if it does not answer, or refuses the gateway's key or settings.
   */
  async checkAgain(id: PaymentId, by: AuditedBy): Promise<Payment> {
    const payment = await this.parts.records.requestCheck(id, by);
    if (payment === null) throw noSuchPayment();
    if (this.providerOf(payment) === null) throw notInUse(payment);
    return answerForOperator(this.check(payment));
  }

  /**
   * Checks the payments that a notification names. Throws `PaymentProviderFailure`, with `invalid-notification` if the provider did not send the
   * notification.
   */
  async notified(body: Uint8Array, header: (name: string) => string | null): Promise<void> {
    const { provider, records } = this.parts;
    if (provider === null) return;
    for (const reference of await provider.readNotification(body, header)) {
      const payment = await records.findByReference(provider.id, reference);
      if (payment !== null) await this.check(payment);
    }
  }

  /**
   * Throws `not_found`, `conflict`, `invalid_request`. When the call returns, the refund is recorded; it is booked once the provider reports it as
   * completed, at the earliest in this call. If the provider does not answer, `reconcile` repeats the request.
   */
  async refund({ id, amount, reason }: RefundPayment, by: AuditedBy): Promise<Payment> {
    const { records, ids } = this.parts;
    const detail = await records.find(id);
    if (detail === null) throw noSuchPayment();
    if (this.providerOf(detail.payment) === null) throw notInUse(detail.payment);
    const minor = amount === null ? null : parseCurrencyAmount(amount, detail.payment.currency);
    if (amount !== null && (minor === null || minor === 0n)) throw noRefundAmount(detail.payment);
    const requested = await records.requestRefund({ id: ids.paymentRefundId(), paymentId: id, amount: minor, reason }, by);
    switch (requested.outcome) {
      case 'no-such-payment': throw noSuchPayment();
      case 'not-refundable': throw new GatewayError('conflict', 'The payment is not paid, or it is disputed.');
      case 'exceeds-payment':
        throw new GatewayError('conflict', `At most ${currencyDecimal({ amount: requested.refundable, currency: detail.payment.currency })} ${detail.payment.currency} of this payment can still be refunded.`);
      case 'requested': {
        const { payment, refusal } = await this.#refunds.carryOut(requested.refund, requested.payment);
        if (refusal === null) return payment;
        throw new GatewayError('conflict', 'The provider refused the refund.', { cause: refusal });
      }
      default: return requested;
    }
  }

  /**
   * Repeats unconfirmed refund requests and asks about due payments, at most `limit` of each; returns how many payments were due. Throws
   * `PaymentProviderFailure` if the provider does not answer. Any other failure is thrown once the other refunds and payments have been handled.
   */
  async reconcile(limit: number): Promise<number> {
    const { provider, records, clock } = this.parts;
    if (provider === null) return 0;
    const at = clock.now();
    let [asked, isDone] = [0, false];
    // Claims one payment at a time: a claim postpones the payment's next check, even if the provider then does not answer.
    const askAboutNext = async (): Promise<void> => {
      const claimed = isDone ? [] : await records.claimDue({ provider: provider.id, at, limit: 1 });
      [asked, isDone] = [asked + claimed.length, claimed.length === 0];
      for (const payment of claimed) await (payment.reference === null ? this.abandonIfOld(payment) : this.checkUnlessRefused(payment));
    };
    await tryInTurn([() => this.#refunds.repeatUnconfirmed(provider.id, limit), ...Array.from({ length: limit }, () => askAboutNext)], (step) => step(), endsTurn);
    return asked;
  }

  /** A payment that the provider does not know must not prevent the checks of other payments. */
  private async checkUnlessRefused(payment: Payment): Promise<void> {
    const checked = await answerOrFailure(this.check(payment));
    if (checked instanceof PaymentProviderFailure && checked.problem !== 'refused') throw checked;
  }

  /** A checkout whose address was never stored cannot be paid, because the customer never got the address. */
  private async abandonIfOld({ id, createdAt }: Payment): Promise<void> {
    const now = this.parts.clock.now();
    if (later(createdAt, MILLISECONDS_PER_HOUR) <= now) await this.parts.records.abandon(id, now);
  }

  private providerOf(payment: Payment): PaymentProvider | null {
    const { provider } = this.parts;
    return provider?.id === payment.provider ? provider : null;
  }

  /** Text about a purchase that the provider shows to the customer. */
  readonly wordsOf = (bought: PurchaseInWords): ReturnType<typeof purchaseWords> => purchaseWords(bought, this.parts.tokenWord ?? 'service tokens');

  /** Throws `not_found` where payments are off. */
  requireProvider(): PaymentProvider {
    const { provider } = this.parts;
    if (provider === null) throw new GatewayError('not_found', 'Payments are off.');
    return provider;
  }
}
