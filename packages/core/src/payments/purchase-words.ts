import type { ServiceTokens } from '../money/service-tokens.js';
import type { CreditPurchase } from './credit-purchase.js';
import type { CheckoutRequest } from './payment-provider.js';

export type PurchaseInWords = Pick<CreditPurchase, 'tokens' | 'packageName' | 'creditExpiresAfterDays'>;

/** In the English of the page: `20108.5` becomes `20,108.5`. */
function grouped(tokens: ServiceTokens): string {
  return tokens.toString().replace(/^\d+/, (digits) => digits.replaceAll(/\B(?=(\d{3})+$)/g, ','));
}

/** What the customer reads at the provider. `tokenWord`: what the operator calls service tokens. */
export function purchaseWords({ tokens, packageName, creditExpiresAfterDays: days = null }: PurchaseInWords, tokenWord: string): Pick<CheckoutRequest, 'description' | 'details'> {
  const bought = `${grouped(tokens)} ${tokenWord}`;
  const expiry = days === null ? [] : [`What is left of the credit expires ${days} ${days === 1 ? 'day' : 'days'} after the payment.`];
  const details = packageName === null ? expiry : [`${bought}.`, ...expiry];
  return { description: packageName ?? bought, details: details.length === 0 ? null : details.join(' ') };
}
