import type { StripeSettings } from './stripe-settings.js';

/** `accepted`: by a gateway with the same signing secret. `unreachable`: no reply within ten seconds, or a reply that is not from a gateway. */
export type TestNotificationOutcome =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'wrong-secret' }
  /** `status` is that of the reply; `null` if there was none. */
  | { readonly outcome: 'unreachable'; readonly status: number | null };

const TIMEOUT_MILLISECONDS = 10_000;
const [ACCEPTED, REFUSED] = [204, 400];
/** An event whose type Stripe does not have, so that the gateway asks about no payment. */
const TEST_EVENT = JSON.stringify({ id: 'evt_test_of_the_gateway', object: 'event', type: 'gateway.test', data: { object: {} } });

/** Sends a notification that concerns no payment to the address, signed as Stripe signs. Stripe itself cannot be asked to send one. */
export async function sendTestNotification(settings: StripeSettings, secret: string, url: string): Promise<TestNotificationOutcome> {
  const { stripeClient } = await import('./stripe-client.js');
  const signature = await stripeClient(settings).webhooks.generateTestHeaderStringAsync({ payload: TEST_EVENT, secret });
  try {
    const { status } = await fetch(url, {
      method: 'POST', headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body: TEST_EVENT, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    });
    if (status === ACCEPTED) return { outcome: 'accepted' };
    return status === REFUSED ? { outcome: 'wrong-secret' } : { outcome: 'unreachable', status };
  } catch {
    return { outcome: 'unreachable', status: null };
  }
}
