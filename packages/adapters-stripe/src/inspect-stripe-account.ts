import type { Stripe } from 'stripe';
import type { StripeSettings } from './stripe-settings.js';

export interface StripeAccountReport {
  /** Mode of the key; payments under a test key move no money. */
  readonly mode: 'live' | 'test';
  /** The version of the API, which the gateway pins. */
  readonly apiVersion: string;
  /** False until the account's setup at Stripe is complete; `null` if the key may not read the account. */
  readonly takesPayments: boolean | null;
  /**
   * Currencies (ISO 4217) in which accounts in the account's country can charge; `null` if the key may not read them, or Stripe states no country.
   */
  readonly currencies: readonly string[] | null;
  /** State of the endpoint at the address. `unreadable`: the key's restrictions do not allow reading it. */
  readonly endpoint: 'found' | 'missing' | 'disabled' | 'unreadable';
  /** Needed events that the endpoint is not subscribed to. */
  readonly missingEvents: readonly string[];
}

/** Asks Stripe whether the key is valid, what the account can charge, and which notifications it sends to this address. Throws `PaymentProviderFailure`. */
export async function inspectStripeAccount(settings: StripeSettings, notificationUrl: string): Promise<StripeAccountReport> {
  const [{ API_VERSION, stripeClient }, { asProviderFailure, isForbidden }, { NOTIFIED_EVENTS }] = await Promise.all([
    import('./stripe-client.js'), import('./provider-failure.js'), import('./notified-references.js'),
  ]);
  const stripe = stripeClient(settings);
  const mode = settings.secretKey.includes('_live_') ? 'live' : 'test';
  try {
    await stripe.checkout.sessions.list({ limit: 1 });
    const account = await unlessForbidden(() => accountOf(stripe), isForbidden) ?? { takesPayments: null, currencies: null };
    const endpoints = await unlessForbidden(() => stripe.webhookEndpoints.list({ limit: 100 }), isForbidden);
    return { mode, apiVersion: API_VERSION, ...account, ...endpointIn(endpoints?.data ?? null, notificationUrl, NOTIFIED_EVENTS) };
  } catch (thrown) {
    throw asProviderFailure(thrown);
  }
}

async function accountOf(stripe: Stripe): Promise<Pick<StripeAccountReport, 'takesPayments' | 'currencies'>> {
  const { charges_enabled: takesPayments, country } = await stripe.accounts.retrieveCurrent();
  const currencies = country === undefined ? null : (await stripe.countrySpecs.retrieve(country)).supported_payment_currencies.map((code) => code.toUpperCase());
  return { takesPayments, currencies };
}

function endpointIn(endpoints: readonly Stripe.WebhookEndpoint[] | null, address: string, needed: readonly string[]): Pick<StripeAccountReport, 'endpoint' | 'missingEvents'> {
  if (endpoints === null) return { endpoint: 'unreadable', missingEvents: [] };
  const found = endpoints.find(({ url }) => url === address);
  if (found === undefined) return { endpoint: 'missing', missingEvents: needed };
  const missingEvents = found.enabled_events.includes('*') ? [] : needed.filter((event) => !found.enabled_events.includes(event));
  return { endpoint: found.status === 'enabled' ? 'found' : 'disabled', missingEvents };
}

async function unlessForbidden<Answer>(ask: () => Promise<Answer>, isForbidden: (thrown: unknown) => boolean): Promise<Answer | null> {
  try {
    return await ask();
  } catch (thrown) {
    if (isForbidden(thrown)) return null;
    throw thrown;
  }
}
