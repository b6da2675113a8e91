import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import type { JsonObject, TokenRate } from '@tollgate/core';
import { StripeServer } from '@tollgate/testkit/stripe-server';
import { openStripe } from '@tollgate/adapters-stripe';
import { startTestGateway, type TestGateway } from '../src/test-support/start-test-gateway.js';
import { testCatalogue } from '../src/test-support/test-catalogue.js';
import { addPerson, TestBrowser } from '../src/test-support/test-browser.js';

const SECRET_KEY = 'sk_test_canary-of-the-provider';
const SIGNING_SECRET = 'whsec_canary-of-the-endpoint';
let stripe: StripeServer;
let running: TestGateway;
let ann: TestBrowser;
let checkout: string;
let payment: string;

beforeEach(async () => {
  stripe = await StripeServer.start();
  const provider = await openStripe({ secretKey: SECRET_KEY, webhookSecrets: [SIGNING_SECRET], apiBase: stripe.url, automaticTax: false });
  running = await startTestGateway({ services: { paymentProvider: provider } });
  running.parts.catalogue.replace({ ...testCatalogue(), creditOffer: { packages: [], custom: { currency: 'USD', min: 100n, max: 100_000n, rate: '1000' as TokenRate } } });
  const { person, password } = await addPerson(running.gateway, 'ann@example.com');
  ann = new TestBrowser(running.gateway);
  await ann.call(contract.signIn, { body: { email: person.email, password } });
  payment = ((await ann.call(contract.startPayment, { body: { amount: '10' } })).body as { readonly id: string }).id;
  checkout = stripe.lastCheckout;
});
afterEach(async () => {
  await running.close();
  await stripe.close();
});

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

async function notify(type: string, signing: { readonly secret?: string; readonly at?: number } = {}): Promise<number> {
  const { body, signature } = stripe.notification(type, checkout, { secret: signing.secret ?? SIGNING_SECRET, at: signing.at ?? now() });
  const reply = await running.fetch('/payments/notifications/stripe', { method: 'POST', headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body });
  return reply.status;
}

async function stateOf(): Promise<JsonObject> {
  const { data } = (await ann.call(contract.listPayments)).body as { readonly data: readonly JsonObject[] };
  return data.find(({ id }) => id === payment) ?? {};
}

async function acts(): Promise<readonly string[]> {
  const { data } = (await ann.call(contract.listOwnMoneyActs)).body as { readonly data: readonly { readonly kind: string; readonly svc_tokens: string }[] };
  return data.map(({ kind, svc_tokens: amount }) => `${kind} ${amount}`).toReversed();
}

describe('a payment at Stripe', () => {
  it('is booked once, however often and in whatever order notifications of it arrive', async () => {
    stripe.pay(checkout);
    expect(await Promise.all(['checkout.session.completed', 'payment_intent.succeeded', 'checkout.session.completed'].map((type) => notify(type)))).toEqual([204, 204, 204]);
    expect(await notify('checkout.session.expired')).toBe(204);
    expect(await stateOf()).toMatchObject({ state: 'paid', amount: '10.00' });
    expect(await acts()).toEqual(['payment 10000']);
  });

  it('that Stripe refunds in part is taken back by that part, once', async () => {
    stripe.pay(checkout);
    stripe.refundOutside(checkout, 400);
    expect(await notify('refund.created')).toBe(204);
    expect(await notify('refund.created')).toBe(204);
    expect(await acts()).toEqual(['payment 10000', 'payment-refund -4000']);
  });

  it.each([[{ amount: 999 }], [{ currency: 'eur' }]])('is not booked if the amount or currency that was paid differs: %j', async (other) => {
    stripe.pay(checkout, other);
    expect(await notify('checkout.session.completed')).toBe(204);
    expect(await stateOf()).toMatchObject({ state: 'unbookable' });
    expect(await acts()).toEqual([]);
  });

  it('is taken back while it is disputed, and returned if the dispute is won', async () => {
    stripe.pay(checkout);
    stripe.dispute(checkout, 'needs_response');
    await notify('charge.dispute.created');
    stripe.dispute(checkout, 'won');
    await notify('charge.dispute.closed');
    expect(await acts()).toEqual(['payment 10000', 'dispute -10000', 'dispute 10000']);
  });
});

it.each([[{ secret: 'whsec_of-a-stranger' }], [{ at: 1_700_000_000 }]])('a notification with a wrong or old signature is refused, and the provider is not asked: %j', async (signing) => {
  stripe.pay(checkout);
  const asked = stripe.requests.length;
  expect(await notify('checkout.session.completed', signing)).toBe(400);
  expect(stripe.requests).toHaveLength(asked);
  expect(await acts()).toEqual([]);
});

it('a notification is refused if the provider cannot be asked, so that it is sent again', async () => {
  stripe.pay(checkout);
  stripe.failure = { status: 500, body: { error: { type: 'api_error', message: 'Down.' } } };
  expect(await notify('checkout.session.completed')).toBe(503);
  stripe.failure = null;
  expect(await notify('checkout.session.completed')).toBe(204);
  expect(await acts()).toEqual(['payment 10000']);
});
