import type { StripeSettings } from './stripe-settings.js';

export interface StripeAccountReport {
  /** Test keys take no money. */
  readonly mode: 'live' | 'test';
  /** The endpoint at the address, or why there is none. Keys with restrictions may not be allowed to read it. */
  readonly endpoint: 'found' | 'missing' | 'disabled' | 'unreadable';
  /** Needed events that the endpoint is not subscribed to. */
  readonly missingEvents: readonly string[];
}

/** Asks Stripe whether the key is valid, and which notifications it sends to this address. Throws `PaymentProviderFailure`. */
export async function inspectStripeAccount(settings: StripeSettings, notificationUrl: string): Promise<StripeAccountReport> {
  const [{ stripeClient }, { asProviderFailure }, { NOTIFIED_EVENTS }] = await Promise.all([
    import('./stripe-client.js'), import('./provider-failure.js'), import('./notified-references.js'),
  ]);
  const stripe = stripeClient(settings);
  const mode = settings.secretKey.includes('_live_') ? 'live' : 'test';
  try {
    await stripe.checkout.sessions.list({ limit: 1 });
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    const found = data.find(({ url }) => url === notificationUrl);
    if (found === undefined) return { mode, endpoint: 'missing', missingEvents: [...NOTIFIED_EVENTS] };
    const missingEvents = found.enabled_events.includes('*') ? [] : NOTIFIED_EVENTS.filter((event) => !found.enabled_events.includes(event));
    return { mode, endpoint: found.status === 'enabled' ? 'found' : 'disabled', missingEvents };
  } catch (thrown) {
    throw asProviderFailure(thrown);
  }
}
