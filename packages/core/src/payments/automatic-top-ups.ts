import type { AccountRepository } from '../accounts/account-repository.js';
import { MAX_BALANCE } from '../billing/balance.js';
import { checkFields, refuseField } from '../errors/field-fault.js';
import { GatewayError } from '../errors/gateway-error.js';
import { TriedLast } from '../errors/tried-last.js';
import { currencyDecimal, parseCurrencyAmount } from '../money/currency.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { AuditedBy } from '../platform/actor.js';
import type { Clock } from '../primitives/clock.js';
import type { AccountId } from '../primitives/ids.js';
import type { TopUpOverview } from './automatic-top-up.js';
import { type CreditChoice, type CreditPurchase, purchaseOf } from './credit-purchase.js';
import type { PaymentDesk, PaymentIds } from './payment-desk.js';
import { answerForPortal } from './payment-refusals.js';
import type { PaymentId } from './payment.js';
import { type ChargeOutcome, endsTurn, type PaymentProvider, PaymentProviderFailure } from './payment-provider.js';
import type { TopUpCharge, TopUpRecords } from './top-up-records.js';

export interface AutomaticTopUpParts {
  readonly records: TopUpRecords;
  readonly desk: PaymentDesk;
  readonly ids: Pick<PaymentIds, 'paymentId'>;
  readonly clock: Clock;
  readonly accounts: Pick<AccountRepository, 'findById'>;
  /** Address to which the provider sends the customer once the authentication of a charge has succeeded or failed. */
  readonly returnUrlOf: (id: PaymentId) => string;
}

export interface TopUpChoice {
  readonly threshold: ServiceTokens;
  readonly choice: CreditChoice;
  readonly maxPerDay: number;
  /** Decimal, in the currency of the choice. */
  readonly monthlyAmount: string;
}

function requireRoom(threshold: ServiceTokens, bought: ServiceTokens): void {
  if (!threshold.isZero() && !MAX_BALANCE.isLessThan(threshold.plus(bought))) return;
  throw refuseField('threshold', 'must be above zero and, with the credit that is bought, at most the maximum balance', { code: 'threshold_out_of_range' });
}

/** Returns the amount in the smallest unit of the currency. */
function readMonthlyAmount(text: string, { amount, currency }: Pick<CreditPurchase, 'amount' | 'currency'>): bigint {
  const monthly = parseCurrencyAmount(text, currency);
  if (monthly !== null && monthly >= amount) return monthly;
  const minimum = currencyDecimal({ amount, currency });
  throw refuseField('monthly_amount', `must be an amount of at least ${minimum} ${currency}, the price of one charge`, { code: 'below_one_charge', minimum, currency });
}

/** Charges the saved payment methods of accounts whose balance falls below the threshold that the owner chose. */
export class AutomaticTopUps {
  readonly #order = new TriedLast<AccountId>();

  constructor(private readonly parts: AutomaticTopUpParts) {}

  get provider(): PaymentProvider | null {
    return this.parts.desk.provider;
  }

  overview(accountId: AccountId): Promise<TopUpOverview> {
    return this.parts.records.overview(accountId, { provider: this.provider?.id ?? '', at: this.parts.clock.now() });
  }

  /**
   * Also changes the settings while automatic top-up is on. Throws `invalid_request` that names the field, `conflict` without a saved method, and
   * `not_found` without an account or where payments are off.
   */
  async enable(accountId: AccountId, { threshold, choice, maxPerDay, monthlyAmount }: TopUpChoice, by: AuditedBy): Promise<TopUpOverview> {
    const { records, desk } = this.parts;
    const provider = desk.requireProvider();
    const { amount, currency, packageId, tokens } = purchaseOf(choice, desk.offer());
    const [, monthly] = await checkFields(() => requireRoom(threshold, tokens), () => readMonthlyAmount(monthlyAmount, { amount, currency }));
    const outcome = await records.enable(accountId, { settings: { threshold, packageId, tokens, amount, currency, maxPerDay, monthlyAmount: monthly }, provider: provider.id }, by);
    if (outcome === 'no-method') throw new GatewayError('conflict', 'No payment method is saved. Add credit once with the box “Save the payment method” ticked.');
    if (outcome === 'no-account') throw new GatewayError('not_found', 'There is no such account.');
    return this.overview(accountId);
  }

  async disable(accountId: AccountId, by: AuditedBy): Promise<TopUpOverview> {
    await this.parts.records.disable(accountId, by);
    return this.overview(accountId);
  }

  /**
   * Address of the provider's page for methods and invoices. Throws `conflict` before the first payment at this provider and if the provider has no
   * page for the customer, `not_found` where payments are off, and `service_unavailable` if the provider does not answer.
   */
  async openPortal(accountId: AccountId, returnUrl: string): Promise<string> {
    const provider = this.parts.desk.requireProvider();
    const customer = await this.parts.desk.customerOf(accountId);
    if (customer === null) throw new GatewayError('conflict', 'This account has no payment at the current provider yet, so there are no methods or invoices to manage.');
    return (await answerForPortal(provider.openPortal({ customer, returnUrl }))).url;
  }

  /**
   * Handles at most `limit` due accounts, each with at most one charge; returns how many. Throws `PaymentProviderFailure` if the provider does not
   * answer; the other accounts stay due. Any other failure is thrown once the other accounts have been handled.
   */
  async chargeSome(limit: number): Promise<number> {
    const { records, clock, desk, ids } = this.parts;
    const { provider } = desk;
    if (provider === null) return 0;
    return this.#order.tryInTurn({ limit, read: (most) => records.due(clock.now(), most), idOf: (accountId) => accountId }, async (accountId) => {
      const charge = await records.begin(accountId, { provider: provider.id, offer: desk.offer(), paymentId: ids.paymentId(), at: clock.now() });
      if (charge !== null) await this.carryOut(charge, provider);
    }, endsTurn);
  }

  /**
   * The id of the payment is the idempotency key, so a repetition after a crash does not charge again. All further steps follow from the provider's
   * reports about the payment.
   */
  private async carryOut({ payment, method }: TopUpCharge, provider: PaymentProvider): Promise<void> {
    const { records, clock, desk } = this.parts;
    let outcome: ChargeOutcome;
    try {
      outcome = await this.charge({ payment, method }, provider);
    } catch (thrown) {
      if (!(thrown instanceof PaymentProviderFailure) || thrown.problem !== 'refused') throw thrown;
      await records.refused(payment.id, clock.now());
      return;
    }
    const { reference } = outcome;
    await records.accepted(payment.id, { reference, url: outcome.outcome === 'needs-authentication' ? outcome.url : null }, clock.now());
    await desk.check({ ...payment, reference });
  }

  private async charge({ payment: { id, accountId, amount, currency, tokens, creditExpiresAfterDays = null }, method }: TopUpCharge, provider: PaymentProvider): Promise<ChargeOutcome> {
    const account = await this.parts.accounts.findById(accountId);
    const url = this.parts.returnUrlOf(id);
    return provider.charge({
      ...method, payment: id, accountId, email: account?.email ?? '', amount, currency, ...this.parts.desk.wordsOf({ tokens, creditExpiresAfterDays, packageName: null }), returnUrl: url, cancelUrl: url,
    });
  }
}
