import type { PaymentProvider } from '@tollgate/core';
import type { StripeSettings } from './stripe-settings.js';

export type { StripeSettings } from './stripe-settings.js';

/** Does not connect. Loads Stripe's library here (about 9 MB), which gateways without payments do not need. */
export async function openStripe(settings: StripeSettings): Promise<PaymentProvider> {
  const [{ StripeProvider }, { stripeClient }] = await Promise.all([import('./stripe-provider.js'), import('./stripe-client.js')]);
  return new StripeProvider(stripeClient(settings), settings);
}
