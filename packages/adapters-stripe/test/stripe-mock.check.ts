import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId, ChargeRequest, CheckoutRequest, PaymentProvider } from '@tollgate/core';
import { signed } from '@tollgate/testkit/stripe-server';
import { inspectStripeAccount } from '../src/inspect-stripe-account.js';
import { openStripe, type StripeSettings } from '../src/open-stripe.js';
import { stripeClient } from '../src/stripe-client.js';

/** Stripe's own mock: it refuses requests that Stripe's published API description does not allow, and answers with samples. */
const URL_OF_MOCK = process.env['STRIPE_MOCK_URL'];
const SIGNING_SECRET = 'whsec_of-the-mock';
const CHECKOUT: CheckoutRequest = {
  payment: 'pay_1', accountId: 'acct_1' as AccountId, email: 'ada@example.test', customer: null, amount: 1_000n, currency: 'USD', description: '10,000 service tokens', details: 'What is left of the credit expires 90 days after the payment.',
  returnUrl: 'https://gateway.example.test/return', cancelUrl: 'https://gateway.example.test/cancel', saveMethod: false,
};
const CHARGE: ChargeRequest = { ...CHECKOUT, customer: 'cus_1', method: 'pm_1' };

let settings: StripeSettings;
let provider: PaymentProvider;

beforeAll(async () => {
  if (URL_OF_MOCK === undefined) throw new Error('STRIPE_MOCK_URL is not set: "npm run payments" sets it.');
  settings = { secretKey: 'sk_test_123', webhookSecrets: [SIGNING_SECRET], apiBase: URL_OF_MOCK, automaticTax: false };
  provider = await openStripe(settings);
});

describe('the mock of Stripe accepts', () => {
  it.each([
    ['the first checkout of an account', {}], ['a later one', { customer: 'cus_1' }], ['one that saves the method', { saveMethod: true }],
    ['the consent to a charge of a saved method', { customer: 'cus_1', saveMethod: true }],
    ['a currency without smaller units', { currency: 'JPY' }], ['a currency with thousandths', { currency: 'BHD' }],
  ])('%s', async (_name, differences) => {
    expect(await provider.startCheckout({ ...CHECKOUT, ...differences })).toMatchObject({ reference: expect.stringMatching(/^cs_/), url: expect.stringContaining('http') });
  });

  it.each([[null], ['cus_1']])('a checkout with automatic tax, for the customer %s', async (customer) => {
    const taxed = await openStripe({ ...settings, automaticTax: true });
    expect(await taxed.startCheckout({ ...CHECKOUT, customer })).toMatchObject({ reference: expect.stringMatching(/^cs_/) });
  });

  it.each(['cs_test_1', 'pi_1'])('a question about %s', async (reference) => {
    expect(typeof (await provider.ask(reference)).amount).toBe('bigint');
  });

  it('a charge of a saved method', async () => {
    expect(await provider.charge(CHARGE)).toMatchObject({ reference: expect.stringMatching(/^pi_/) });
  });

  it.each(['pi_1'])('a refund of a part of %s', async (reference) => {
    expect(await provider.refund({ payment: 'pay_1', refund: 'refund_1', reference, amount: 10n, currency: 'USD' })).toMatchObject({ reference: expect.stringMatching(/^re_/) });
  });

  it('the portal', async () => {
    expect((await provider.openPortal({ customer: 'cus_1', returnUrl: 'https://gateway.example.test/' })).url).toContain('http');
  });

  it('the question which checkout a notified payment belongs to', async () => {
    const event = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1', object: 'payment_intent' } } });
    const { body, signature } = signed(event, { secret: SIGNING_SECRET, at: Math.floor(Date.now() / 1_000) });
    expect(await provider.readNotification(Buffer.from(body), () => signature)).toHaveLength(1);
  });

  // The mock's samples are neither refunded nor disputed nor declined, so the provider itself would not send these requests.
  it('the lists of refunds and disputes of a payment, and its cancellation', async () => {
    const stripe = stripeClient(settings);
    expect((await stripe.refunds.list({ payment_intent: 'pi_1', limit: 100 })).object).toBe('list');
    expect((await stripe.disputes.list({ payment_intent: 'pi_1', limit: 100 })).object).toBe('list');
    expect((await stripe.paymentIntents.cancel('pi_1', undefined, { idempotencyKey: 'pay_1:cancel' })).object).toBe('payment_intent');
  });

  it('the inspection of the account', async () => {
    expect(await inspectStripeAccount(settings, 'https://gateway.example.test/payments/notifications/stripe')).toMatchObject({ mode: 'test' });
  });
});

it('the mock of Stripe refuses a request that the description does not allow', async () => {
  await expect(stripeClient(settings).checkout.sessions.create({ mode: 'gift' })).rejects.toMatchObject({ statusCode: 400 });
});
