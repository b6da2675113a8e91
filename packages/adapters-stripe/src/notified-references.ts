import type { Stripe } from 'stripe';

/** Event types that operators' endpoints must subscribe to. */
export const NOTIFIED_EVENTS = [
  'checkout.session.completed', 'checkout.session.async_payment_succeeded', 'checkout.session.async_payment_failed', 'checkout.session.expired',
  'payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.canceled',
  'refund.created', 'refund.updated', 'refund.failed',
  'charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed', 'charge.dispute.funds_withdrawn', 'charge.dispute.funds_reinstated',
] as const;

type NotifiedObject = Readonly<Record<string, unknown>>;

/** References of the payments that an event concerns; empty for other events. */
export async function referencesIn(event: Stripe.Event, checkoutOf: (intent: string) => Promise<string>): Promise<readonly string[]> {
  if (!(NOTIFIED_EVENTS as readonly string[]).includes(event.type)) return [];
  const object = event.data.object as unknown as NotifiedObject;
  if (object['object'] === 'checkout.session') return textsOf(object['id']);
  const intents = textsOf(object['object'] === 'payment_intent' ? object['id'] : object['payment_intent']);
  return Promise.all(intents.map(checkoutOf));
}

function textsOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}
