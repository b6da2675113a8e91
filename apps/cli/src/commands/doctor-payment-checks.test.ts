import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openStripe } from '@tollgate/adapters-stripe';
import { type CreditOffer, ServiceTokens, type TokenRate } from '@tollgate/core';
import { StripeServer } from '@tollgate/testkit/stripe-server';
import { paymentChecks } from './doctor-payment-checks.js';

const [SECRET, OTHER] = ['whsec_of-the-endpoint', 'whsec_of-another'] as const;
const CUSTOM = { currency: 'USD', min: 100n, max: 10_000n, rate: '1000' as TokenRate };
const OFFER: CreditOffer = { packages: [], custom: CUSTOM };

let stripe: StripeServer;
/** Serves the route of a gateway that receives notifications; its signing secret is `SECRET`. */
let gateway: Server;
let url: string;
let webhookSecrets: readonly string[];

beforeEach(async () => {
  stripe = await StripeServer.start();
  webhookSecrets = [SECRET];
  const provider = await openStripe({ secretKey: 'sk_test_of_the_gateway', webhookSecrets: [SECRET], apiBase: stripe.url, automaticTax: false });
  gateway = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece)).on('end', () => {
      provider.readNotification(Buffer.concat(pieces), (name) => String(request.headers[name])).then((references) => (references.length === 0 ? 204 : 500), () => 400)
        .then((status) => response.writeHead(request.url === '/payments/notifications/stripe' ? status : 404).end(), () => response.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  stripe.endpoints = [{ object: 'webhook_endpoint', url: `${url}/payments/notifications/stripe`, status: 'enabled', enabled_events: ['*'] }];
});
afterEach(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await stripe.close();
});

interface Asked { readonly secretKey?: string; readonly offer?: CreditOffer | null; readonly at?: string }

async function findings({ secretKey = 'sk_test_of_the_operator', offer = OFFER, at = url }: Asked = {}): Promise<readonly string[]> {
  const provider = { kind: 'stripe' as const, secretKey, webhookSecrets, apiBase: stripe.url, automaticTax: false };
  return (await paymentChecks({ settings: { payments: { provider, suspendsOnDispute: true } }, publicUrl: at, offer })).map(({ state, finding }) => `${state}: ${finding.replaceAll(url, 'URL')}`);
}

describe('the check of payments', () => {
  it('finds no problem in a sound installation', async () => {
    expect(await findings()).toEqual([
      expect.stringMatching(/^ok: the key is valid, in test mode, where no money moves\. .*; the version of the API is \d{4}-/), 'ok: Stripe notifies URL/payments/notifications/stripe of all events that are needed',
      'ok: the account can charge in the currencies of the catalogue',
      'ok: the gateway at URL/payments/notifications/stripe accepts a test notification signed with STRIPE_WEBHOOK_SECRET; Stripe cannot reach this address',
    ]);
    expect((await findings({ secretKey: 'rk_live_of_the_operator' }))[0]).toMatch(/^ok: the key is valid, in live mode; /);
  });

  it.each([
    ['the key is refused', () => { stripe.failure = { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } } }; }, /^problem: Stripe refused the key .* Check STRIPE_SECRET_KEY/],
    ['the account is not set up', () => { stripe.account = { ...stripe.account, charges_enabled: false }; }, /^problem: .* cannot take payments yet\. Complete its setup/],
    ['there is no endpoint', () => { stripe.endpoints = []; }, /^warning: Stripe has no endpoint at URL\/payments.* Add one .* checkout\.session\.completed, /],
    ['the endpoint is disabled', () => { stripe.endpoints = stripe.endpoints.map((endpoint) => ({ ...endpoint, status: 'disabled' })); }, /^warning: .* is disabled.* Enable it/],
    ['the endpoint lacks an event', () => { stripe.endpoints = stripe.endpoints.map((endpoint) => ({ ...endpoint, enabled_events: ['checkout.session.completed'] })); }, /^warning: .* lacks the events .*charge\.dispute\.created.* Add them/],
    ['the key may not read endpoints', () => { stripe.forbidden = ['webhook_endpoints']; }, /^warning: the key may not read the endpoints/],
    ['the key may not read the account', () => { stripe.forbidden = ['account']; }, /^ok: the key may not read which currencies/],
    ['Stripe cannot charge in the catalogue’s currency', () => { stripe.currencies = ['eur']; }, /^problem: custom_credit: the account at Stripe cannot charge in USD\. Use one of its currencies, such as EUR\./],
    ['no webhook secret is set', () => { webhookSecrets = []; }, /^warning: STRIPE_WEBHOOK_SECRET is not set.* Set it/],
    ['the gateway has another webhook secret', () => { webhookSecrets = [OTHER]; }, /^problem: the gateway at .* refuses a test notification signed with STRIPE_WEBHOOK_SECRET\. Restart it/],
    ['the gateway lacks one of two webhook secrets', () => { webhookSecrets = [SECRET, OTHER]; }, /^problem: .* signed with secret 2 of STRIPE_WEBHOOK_SECRET/],
  ] as const)('says what to do if %s', async (_name, spoil, expected) => {
    spoil();
    expect((await findings()).filter((finding) => expected.test(finding))).toHaveLength(1);
  });

  it('says what to do if no gateway answers at the address', async () => {
    expect((await findings({ at: `${url}/elsewhere` })).at(-1)).toBe('warning: no gateway with PAYMENTS=stripe answers at URL/elsewhere/payments/notifications/stripe (status 404). Start it, and check PUBLIC_URL and the proxy.');
    expect((await findings({ at: 'http://127.0.0.1:9' })).at(-1)).toMatch(/^warning: no gateway .* \(no reply\)/);
  });

  it('reports prices that Stripe cannot charge, and a catalogue that sells nothing', async () => {
    const thousandths = { id: 'kwd', name: 'K', amount: 5_124n, currency: 'KWD', tokens: ServiceTokens.parse('1'), bonus: ServiceTokens.ZERO };
    expect(await findings({ offer: { packages: [thousandths], custom: null } })).toContain('problem: the package kwd: Stripe does not take the last decimal place of its price in KWD. Round it.');
    expect(await findings({ offer: { packages: [], custom: null } })).toContain('warning: the catalogue sells nothing. Add credit_packages or custom_credit.');
    expect(await findings({ offer: null })).toHaveLength(3);
  });

  it.each([
    ['off', 'http://localhost:8080', /^ok: PAYMENTS is off/], ['sandbox', 'http://localhost:8080', /^ok: they are simulated/], ['sandbox', 'https://api.acme.test', /^warning: .* gets credit without paying/],
  ] as const)('checks PAYMENTS=%s at the address %s', async (kind, publicUrl, expected) => {
    const [check] = await paymentChecks({ settings: { payments: { provider: { kind }, suspendsOnDispute: true } }, publicUrl, offer: OFFER });
    expect(`${check?.state ?? ''}: ${check?.finding ?? ''}`).toMatch(expected);
  });
});
