import { grouped } from '../primitives/grouped.js';
import type { CreditPurchase } from './credit-purchase.js';
import type { CheckoutRequest } from './payment-provider.js';

export type PurchaseInWords = Pick<CreditPurchase, 'tokens' | 'packageName' | 'creditExpiresAfterDays'>;

/** Text about a purchase that the provider shows to the customer. `tokenWord`: what the operator calls service tokens. */
export function purchaseWords({ tokens, packageName, creditExpiresAfterDays: days = null }: PurchaseInWords, tokenWord: string): Pick<CheckoutRequest, 'description' | 'details'> {
  const bought = `${grouped(tokens)} ${tokenWord}`;
  const expiry = days === null ? [] : [`What is left of the credit expires ${days} ${days === 1 ? 'day' : 'days'} after the payment.`];
  const details = packageName === null ? expiry : [`${bought}.`, ...expiry];
  return { description: packageName ?? bought, details: details.length === 0 ? null : details.join(' ') };
}
