import type { CurrencyAmount } from '../money/currency.js';
import type { ServiceTokens } from '../money/service-tokens.js';
import type { Instant } from '../primitives/time.js';
import type { Payment } from './payment.js';

/** The owner's choices. Amount, currency and tokens are those of one charge, as the owner agreed to it. */
export interface TopUpSettings extends CurrencyAmount {
  /** The posted balance below which the saved method is charged; above zero. */
  readonly threshold: ServiceTokens;
  /** `null` for a custom amount. */
  readonly packageId: string | null;
  /** Minimum that a charge must buy. */
  readonly tokens: ServiceTokens;
  /** Maximum charges per UTC day. */
  readonly maxPerDay: number;
  /** Maximum sum of the charges in a UTC month, in the smallest unit of the currency. */
  readonly monthlyAmount: bigint;
}

/**
 * Why the gateway switched automatic top-up off. `no-method`: no method is saved, or the provider refused to charge it. `unconfirmed`: the provider
 * did not say in time whether a charge was paid.
 */
export const TOP_UP_STOPS = ['declined', 'no-method', 'not-for-sale', 'fewer-tokens', 'refunded', 'disputed', 'unbookable', 'unconfirmed'] as const;
export type TopUpStop = (typeof TOP_UP_STOPS)[number];

/** What the next charge waits for. `charge`: the previous charge has not ended. `account`: the account is not served. */
export const TOP_UP_WAITS = ['charge', 'authentication', 'declined', 'daily-charges', 'monthly-amount', 'account'] as const;
export type TopUpWait = (typeof TOP_UP_WAITS)[number];

export interface AutomaticTopUp {
  readonly settings: TopUpSettings;
  readonly isEnabled: boolean;
  /** Consecutive declined charges, except the one that switched automatic top-up off. */
  readonly declines: number;
  /** `null` while automatic top-up is on, and after the owner switched it off. */
  readonly stopped: { readonly reason: TopUpStop; readonly at: Instant } | null;
  readonly waitsFor: TopUpWait | null;
  /** Time of the next check of balance and charge; `null` if none is due until the balance crosses the threshold or the settings change. */
  readonly dueAt: Instant | null;
}

/** Charges of the current UTC day and month, except declined and expired ones; refunded charges count too. */
export interface TopUpCharges {
  readonly today: number;
  /** In the smallest unit of the settings' currency. */
  readonly thisMonth: bigint;
}

/** What owners and operators see of an account's automatic top-up. */
export interface TopUpOverview {
  /** `null` if automatic top-up was never switched on. */
  readonly topUp: AutomaticTopUp | null;
  readonly charges: TopUpCharges;
  readonly lastCharge: Payment | null;
  readonly hasMethod: boolean;
}

export const MAX_TOP_UPS_PER_DAY = 24;
