import { Stripe } from 'stripe';
import type { StripeSettings } from './stripe-settings.js';

/** The API version that the library's types describe. Stripe replies in it even if the account has another default. */
export const API_VERSION = '2026-10-28.endive';
/** Timeout of a request. It is short, because the customer waits while a checkout is started. */
export const TIMEOUT_MILLISECONDS = 15_000;
/** Repetitions by the library, with the same idempotency key. */
export const RETRIES = 2;

export function stripeClient({ secretKey, apiBase }: Pick<StripeSettings, 'secretKey' | 'apiBase'>): Stripe {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION, timeout: TIMEOUT_MILLISECONDS, maxNetworkRetries: RETRIES, telemetry: false,
    // Its timeout ends the whole request; that of the default client starts again with each piece of the reply.
    httpClient: Stripe.createFetchHttpClient(),
    ...(apiBase === null ? {} : serverAt(apiBase)),
  });
}

function serverAt(apiBase: string): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  const { protocol, hostname, port } = new URL(apiBase);
  const isEncrypted = protocol === 'https:';
  return { host: hostname, port: port === '' ? (isEncrypted ? 443 : 80) : Number(port), protocol: isEncrypted ? 'https' : 'http' };
}
