import type { PaymentProvider } from '@tollgate/core';
import type { StripeSettings } from './stripe-settings.js';

export type { StripeSettings } from './stripe-settings.js';

/**
 * Opens the provider without connecting. Loads Stripe's library (about 9 MB) only when it is called, because gateways without payments do not need
 * it.
 */
export async function openStripe(settings: StripeSettings): Promise<PaymentProvider> {
  const [{ StripeProvider }, { stripeClient }] = await Promise.all([import('./stripe-provider.js'), import('./stripe-client.js')]);
  return new StripeProvider(stripeClient(settings), settings);
}
