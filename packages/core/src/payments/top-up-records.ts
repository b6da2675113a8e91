import type { CreditOffer } from '../models/credit-offer.js';
import type { AuditedBy } from '../platform/actor.js';
import type { AccountId } from '../primitives/ids.js';
import type { Instant } from '../primitives/time.js';
import type { TopUpOverview, TopUpSettings } from './automatic-top-up.js';
import type { SavedMethod } from './decide-top-up.js';
import type { Payment, PaymentId } from './payment.js';

export interface TopUpCharge {
  readonly payment: Payment;
  readonly method: SavedMethod;
}

export interface ChosenTopUp {
  readonly settings: TopUpSettings;
  /** Id of the provider in use. */
  readonly provider: string;
}

export interface TopUpAttempt {
  /** Id of the provider in use. */
  readonly provider: string;
  readonly offer: CreditOffer;
  /** Id of the payment, if one is opened. */
  readonly paymentId: PaymentId;
  readonly at: Instant;
}

/** An account becomes due in the transaction that books its balance below the threshold. */
export interface TopUpRecords {
  overview(accountId: AccountId, context: { readonly provider: string; readonly at: Instant }): Promise<TopUpOverview>;
  /**
   * The account is due at once if its balance is below the threshold or a charge is open. No effect if automatic top-up is on with the same settings.
   * `no-account`: the account is deleted or does not exist.
   */
  enable(accountId: AccountId, chosen: ChosenTopUp, by: AuditedBy): Promise<'enabled' | 'no-method' | 'no-account'>;
  /** A charge in progress is still booked. */
  disable(accountId: AccountId, by: AuditedBy): Promise<void>;
  /** Accounts that are due, the longest due first. */
  due(at: Instant, limit: number): Promise<readonly AccountId[]>;
  /**
   * Opens the payment of a charge, or returns the payment of an interrupted charge; `null` if there is nothing to charge. Until this charge or its
   * lease ends, no other process gets a charge of the account, unless the owner changes the settings: another process may then get the same charge.
   */
  begin(accountId: AccountId, attempt: TopUpAttempt): Promise<TopUpCharge | null>;
  /**
   * The provider has answered: the charge has a reference, even if it was declined. Only the first answer counts. `url`: where the customer
   * authenticates the charge; `null` if no authentication is needed.
   */
  accepted(id: PaymentId, charge: { readonly reference: string; readonly url: string | null }, at: Instant): Promise<void>;
  /**
   * The provider refused the charge, for example because the method was removed: the payment fails, and automatic top-up is switched off. No effect
   * after an answer.
   */
  refused(id: PaymentId, at: Instant): Promise<void>;
}
