import { refuseField } from '../errors/field-fault.js';
import { GatewayError } from '../errors/gateway-error.js';
import { type CreditOffer, tokensForAmount } from '../models/credit-offer.js';
import { currencyDecimal, parseCurrencyAmount } from '../money/currency.js';
import type { Payment } from './payment.js';

/** A package by its id, or a decimal amount in the currency of the offer's custom credit. */
export type CreditChoice = { readonly packageId: string } | { readonly amount: string };

export interface CreditPurchase extends Pick<Payment, 'amount' | 'currency' | 'tokens' | 'packageId' | 'creditExpiresAfterDays'> {
  /** `null` for a custom amount. */
  readonly packageName: string | null;
}

/** `null` if the choice is not for sale. */
export function purchaseIn(choice: CreditChoice, offer: CreditOffer): CreditPurchase | null {
  try {
    return purchaseOf(choice, offer);
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.code === 'invalid_request') return null;
    throw thrown;
  }
}

/** Throws `invalid_request` that names the field if the choice is not for sale. */
export function purchaseOf(choice: CreditChoice, { packages, custom }: CreditOffer): CreditPurchase {
  if ('packageId' in choice) {
    const chosen = packages.find(({ id }) => id === choice.packageId);
    if (chosen === undefined) throw refuseField('package', 'is not for sale', { code: 'not_for_sale' });
    const { id, name, amount, currency, tokens, creditExpiresAfterDays = null } = chosen;
    return { packageId: id, amount, currency, tokens, creditExpiresAfterDays, packageName: name };
  }
  if (custom === null) throw refuseField('amount', 'only packages are for sale', { code: 'only_packages' });
  const { currency, min, max } = custom;
  const amount = parseCurrencyAmount(choice.amount, currency);
  if (amount === null || amount < min || amount > max) {
    const [minimum, maximum] = [currencyDecimal({ amount: min, currency }), currencyDecimal({ amount: max, currency })];
    throw refuseField('amount', `must be from ${minimum} to ${maximum} ${currency}`, { code: 'price_out_of_range', minimum, maximum, currency });
  }
  const tokens = tokensForAmount(custom, amount);
  return { packageId: null, amount, currency, tokens, creditExpiresAfterDays: null, packageName: null };
}
