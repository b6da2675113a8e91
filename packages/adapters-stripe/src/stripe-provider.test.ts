import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AccountId, type CheckoutRequest, type PaymentProvider, PaymentProviderFailure } from '@tollgate/core';
import { signed, StripeServer } from '@tollgate/testkit/stripe-server';
import { Stripe } from 'stripe';
import { openStripe } from './open-stripe.js';

const SECRET_KEY = 'sk_test_a-secret-key-of-the-operator';
const SIGNING = ['whsec_new-signing-secret', 'whsec_old-signing-secret'] as const;
const CHECKOUT: CheckoutRequest = {
  payment: 'pay_1', accountId: 'acct_1' as AccountId, email: 'ada@example.test', customer: null, amount: 1_000n, currency: 'USD', description: '10,000 service tokens', details: 'What is left of the credit expires 90 days after the payment.',
  returnUrl: 'https://gateway.example.test/return', cancelUrl: 'https://gateway.example.test/cancel', saveMethod: true,
};

let stripe: StripeServer;
let provider: PaymentProvider;

beforeEach(async () => {
  stripe = await StripeServer.start();
  provider = await openStripe({ secretKey: SECRET_KEY, webhookSecrets: SIGNING, apiBase: stripe.url, automaticTax: false });
});

afterEach(async () => {
  await stripe.close();
});

async function paid(differences: Partial<CheckoutRequest> = {}): Promise<string> {
  const { reference } = await provider.startCheckout({ ...CHECKOUT, ...differences });
  stripe.pay(reference);
  return reference;
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

function read(body: string, signature: string | null): Promise<readonly string[]> {
  return provider.readNotification(Buffer.from(body), (name) => (name === 'stripe-signature' ? signature : null));
}

async function problemOf(attempt: Promise<unknown>): Promise<string> {
  const thrown: unknown = await attempt.then(() => null, (cause: unknown) => cause);
  return thrown instanceof PaymentProviderFailure ? thrown.problem : `not a failure of the provider: ${String(thrown)}`;
}

describe('a checkout', () => {
  it('is open at first; once it is paid, it has the customer, the saved method and the receipt', async () => {
    const { reference, url } = await provider.startCheckout(CHECKOUT);
    expect(url).toBe(`${stripe.url}/checkout/${reference}`);
    expect(await provider.ask(reference)).toMatchObject({ status: 'open', amount: 1_000n, currency: 'USD', customer: null, method: null, refunds: [], disputes: [] });
    stripe.pay(reference);
    expect(await provider.ask(reference)).toMatchObject({
      status: 'paid', customer: expect.stringMatching(/^cus_/), method: expect.stringMatching(/^pm_/), invoiceUrl: expect.stringContaining('/receipts/'),
    });
  });

  it.each([[5n, 'ISK', 500], [5n, 'UGX', 500], [500n, 'MGA', 5], [5_120n, 'KWD', 5_120]] as const)('of %s units of %s has the same amount at Stripe when it is started, paid, disputed and refunded', async (amount, currency, counted) => {
    const reference = await paid({ amount, currency });
    expect(stripe.session(reference)).toMatchObject({ amount_total: counted });
    stripe.dispute(reference, 'won');
    await provider.refund({ payment: 'pay_1', refund: 'refund_1', reference, amount, currency });
    expect(await provider.ask(reference)).toMatchObject({ amount, currency, refunds: [{ amount }], disputes: [{ amount }] });
  });

  it.each([[CHECKOUT.details], [null]])('shows the customer what is bought, with the details %j', async (details) => {
    const { reference } = await provider.startCheckout({ ...CHECKOUT, details });
    expect(stripe.session(reference)).toMatchObject({ shown: { name: CHECKOUT.description, description: details } });
  });

  it('saves the method only if the customer agrees', async () => {
    expect(await provider.ask(await paid({ saveMethod: false }))).toMatchObject({ status: 'paid', method: null });
  });

  it('is started with a new customer if Stripe does not know the earlier one', async () => {
    stripe.unknownCustomers = ['cus_of_test_mode'];
    const [first, second] = [await provider.startCheckout({ ...CHECKOUT, customer: 'cus_of_test_mode' }), await provider.startCheckout({ ...CHECKOUT, customer: 'cus_of_test_mode' })];
    expect(second).toEqual(first);
    expect(await provider.ask(first.reference)).toMatchObject({ status: 'open', customer: null });
    stripe.pay(first.reference);
    expect((await provider.ask(first.reference)).customer).toMatch(/^cus_/);
  });

  it('is started once for a payment, however often the start is repeated', async () => {
    const [first, second] = [await provider.startCheckout(CHECKOUT), await provider.startCheckout(CHECKOUT)];
    expect(second).toEqual(first);
    expect((await provider.startCheckout({ ...CHECKOUT, payment: 'pay_2' })).reference).not.toBe(first.reference);
  });

  it.each([['succeeded', 'paid'], ['failed', 'failed']] as const)('is open until its bank transfer has %s, and has the status %s afterwards', async (as, status) => {
    const { reference } = await provider.startCheckout(CHECKOUT);
    stripe.pay(reference, { by: 'transfer' });
    expect((await provider.ask(reference)).status).toBe('open');
    stripe.settle(reference, as);
    expect((await provider.ask(reference)).status).toBe(status);
  });

  it('is reported as expired after it has expired at Stripe', async () => {
    const { reference } = await provider.startCheckout(CHECKOUT);
    stripe.expire(reference);
    expect((await provider.ask(reference)).status).toBe('expired');
  });

  it.each([[{ amount: 999 }, { amount: 999n, currency: 'USD' }], [{ currency: 'eur' }, { amount: 1_000n, currency: 'EUR' }]])('reports the amount and currency that were paid: %j', async (other, reported) => {
    const { reference } = await provider.startCheckout(CHECKOUT);
    stripe.pay(reference, other);
    expect(await provider.ask(reference)).toMatchObject(reported);
  });
});

describe('a refund', () => {
  it('is made once even if it is repeated, and is reported with refunds made at Stripe', async () => {
    const reference = await paid();
    const refund = { payment: 'pay_1', refund: 'refund_1', reference, amount: 300n, currency: 'USD' };
    const [first, second] = [await provider.refund(refund), await provider.refund(refund)];
    expect(second).toEqual(first);
    const outside = stripe.refundOutside(reference, 200);
    stripe.refundOutside(reference, 100, 'pending');
    expect(await provider.ask(reference)).toMatchObject({ refunds: [{ id: first.reference, amount: 300n }, { id: outside, amount: 200n }], requestedRefunds: [{ request: 'refund_1', id: first.reference }] });
  });

  it.each(['failed', 'canceled'] as const)('is reported as failed once it is %s, even if it had succeeded before', async (status) => {
    const reference = await paid();
    const [all, other] = [stripe.refundOutside(reference, 700), stripe.refundOutside(reference, 300, 'pending')];
    expect(await provider.ask(reference)).toMatchObject({ refunds: [{ id: all }], failedRefunds: [] });
    stripe.failRefund(all, status);
    stripe.failRefund(other, status);
    expect(await provider.ask(reference)).toMatchObject({ refunds: [], failedRefunds: [all, other] });
  });

  it.each(['pending', 'requires_action', 'failed', 'canceled'])('is reported under the id of its request if it is %s', async (status) => {
    const reference = await paid();
    stripe.refundStatus = status;
    const { reference: id } = await provider.refund({ payment: 'pay_1', refund: 'refund_1', reference, amount: 300n, currency: 'USD' });
    expect(await provider.ask(reference)).toMatchObject({ refunds: [], requestedRefunds: [{ request: 'refund_1', id }] });
  });

  it('is refused if it exceeds the payment, or if nothing is paid yet', async () => {
    const reference = await paid();
    expect(await problemOf(provider.refund({ payment: 'pay_1', refund: 'refund_1', reference, amount: 1_001n, currency: 'USD' }))).toBe('refused');
    const { reference: unpaid } = await provider.startCheckout({ ...CHECKOUT, payment: 'pay_2' });
    expect(await problemOf(provider.refund({ payment: 'pay_2', refund: 'refund_2', reference: unpaid, amount: 1n, currency: 'USD' }))).toBe('refused');
  });
});

it.each([
  ['needs_response', 'open'], ['under_review', 'open'], ['appeal_under_review', 'open'], ['won', 'won'], ['lost', 'lost'],
  ['warning_needs_response', null], ['warning_closed', null], ['prevented', null],
])('a dispute that is %s at Stripe is reported as %s (null: not at all)', async (status, reported) => {
  const reference = await paid();
  stripe.dispute(reference, status);
  const { disputes } = await provider.ask(reference);
  expect(disputes.map(({ amount, status: of }) => [amount, of])).toEqual(reported === null ? [] : [[1_000n, reported]]);
});

it('several disputes of a payment are reported, the oldest first, without inquiries', async () => {
  const reference = await paid();
  stripe.dispute(reference, 'won', { amount: 300 });
  stripe.dispute(reference, 'warning_needs_response', { amount: 700 });
  stripe.dispute(reference, 'needs_response', { amount: 700 });
  expect((await provider.ask(reference)).disputes.map(({ amount, status }) => [amount, status])).toEqual([[300n, 'won'], [700n, 'open']]);
});

it('a dispute in another currency is reported with the amount of the payment', async () => {
  const reference = await paid();
  stripe.dispute(reference, 'needs_response', { amount: 500, currency: 'jpy' });
  expect((await provider.ask(reference)).disputes.map(({ amount }) => amount)).toEqual([1_000n]);
});

describe('a charge of a saved method', () => {
  const charge = { ...CHECKOUT, customer: 'cus_1', method: 'pm_1' };

  it.each([['succeeded', 'paid', 'paid'], ['processing', 'pending', 'open'], ['declined', 'declined', 'failed']] as const)('to which the bank answers %s is reported as %s', async (bank, outcome, status) => {
    stripe.bank = bank;
    const first = await provider.charge(charge);
    expect(first.outcome).toBe(outcome);
    expect(await provider.charge(charge)).toEqual(first);
    expect(await provider.ask(first.reference)).toMatchObject({ status, amount: 1_000n, currency: 'USD', customer: 'cus_1' });
  });

  it('continues in a checkout if the bank demands consent, and cannot be paid twice', async () => {
    stripe.bank = 'authentication_required';
    const outcome = await provider.charge(charge);
    expect(outcome).toMatchObject({ outcome: 'needs-authentication', url: `${stripe.url}/checkout/${outcome.reference}` });
    expect(stripe.requests).toContain('POST /v1/payment_intents/pi_1/cancel');
    stripe.pay(outcome.reference);
    expect((await provider.ask(outcome.reference)).status).toBe('paid');
  });
});

it('the portal of a customer can be opened', async () => {
  expect(await provider.openPortal({ customer: 'cus_1', returnUrl: 'https://gateway.example.test/' })).toEqual({ url: `${stripe.url}/portal/cus_1` });
});

describe('a notification', () => {
  it.each(['checkout.session.completed', 'checkout.session.expired', 'payment_intent.succeeded', 'refund.created', 'charge.dispute.created'])('of the type %s names the payment of its checkout', async (type) => {
    const reference = await paid();
    for (const secret of SIGNING) {
      const { body, signature } = stripe.notification(type, reference, { secret, at: nowInSeconds() });
      expect(await read(body, signature)).toEqual([reference]);
    }
  });

  it('of a charge of a saved method names the payment', async () => {
    const { reference } = await provider.charge({ ...CHECKOUT, customer: 'cus_1', method: 'pm_1' });
    const { body, signature } = signed(JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', data: { object: { id: reference, object: 'payment_intent' } } }), { secret: SIGNING[0], at: nowInSeconds() });
    expect(await read(body, signature)).toEqual([reference]);
  });

  it('about a customer names no payment', async () => {
    const { body, signature } = stripe.notification('customer.created', await paid(), { secret: SIGNING[0], at: nowInSeconds() });
    expect(await read(body, signature)).toEqual([]);
  });

  it("is signed by the test server as by Stripe's own library", async () => {
    const { body, signature } = stripe.notification('refund.created', await paid(), { secret: SIGNING[0], at: 1_800_000_000 });
    expect(new Stripe(SECRET_KEY).webhooks.generateTestHeaderString({ payload: body, secret: SIGNING[0], timestamp: 1_800_000_000 })).toBe(signature);
  });

  it('is refused without a signature, with another secret, with another body, and if it is old', async () => {
    const reference = await paid();
    const { body, signature } = stripe.notification('checkout.session.completed', reference, { secret: SIGNING[0], at: nowInSeconds() });
    const forged = stripe.notification('checkout.session.completed', reference, { secret: 'whsec_of-a-stranger', at: nowInSeconds() });
    const old = stripe.notification('checkout.session.completed', reference, { secret: SIGNING[0], at: nowInSeconds() - 301 });
    const attempts = [read(body, null), read(body, ''), read(`${body} `, signature), read(forged.body, forged.signature), read(old.body, old.signature)];
    expect(await Promise.all(attempts.map(problemOf))).toEqual(attempts.map(() => 'invalid-notification'));
  });

  it('is refused if no webhook secret is configured', async () => {
    const without = await openStripe({ secretKey: SECRET_KEY, webhookSecrets: [], apiBase: stripe.url, automaticTax: false });
    expect(await problemOf(without.readNotification(Buffer.from('{}'), () => 't=1,v1=0'))).toBe('misconfigured');
  });
});

describe('a failure', () => {
  it.each([
    [401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${SECRET_KEY}` }, 'misconfigured'],
    [403, { type: 'invalid_request_error', code: 'account_closed' }, 'misconfigured'],
    [409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' }, 'unavailable'],
    [400, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'unavailable'],
    [400, { type: 'invalid_request_error', code: 'lock_timeout' }, 'unavailable'],
    [400, { type: 'idempotency_error' }, 'unavailable'],
    [400, { type: 'invalid_request_error', code: 'parameter_invalid' }, 'refused'],
    [404, { type: 'invalid_request_error', code: 'resource_missing' }, 'refused'],
    [500, { type: 'api_error' }, 'unavailable'],
    [429, { type: 'rate_limit_error' }, 'unavailable'],
  ])('with the status %d is classified, and its error does not contain the key', async (status, error, problem) => {
    stripe.failure = { status, body: { error: { message: 'Something.', ...error } } };
    const thrown: unknown = await provider.ask('pi_1').catch((cause: unknown) => cause);
    expect(thrown).toMatchObject({ problem });
    expect(String(thrown)).not.toContain(SECRET_KEY);
  });

  it('to connect is reported as unavailable', async () => {
    await stripe.close();
    expect(await problemOf(provider.ask('pi_1'))).toBe('unavailable');
    stripe = await StripeServer.start();
  });
});
