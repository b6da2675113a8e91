import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { ManualClock, StaticCatalogue } from '@tollgate/adapters-memory';
import { Argon2Hasher } from '@tollgate/adapters-node';
import { instant, MILLISECONDS_PER_HOUR, type TokenRate } from '@tollgate/core';
import { ScriptedProvider } from '@tollgate/testkit';
import { signed, type SignedNotification, StripeServer } from '@tollgate/testkit/stripe-server';
import { PaymentReconciler } from '../../src/background/payment-reconciler.js';
import { createGateway } from '../../src/composition/container.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { createLog } from '../../src/observability/create-log.js';
import { rebind, TEST_SETTINGS, WEAK_ARGON2 } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type CallParts, TestBrowser } from '../../src/test-support/test-browser.js';
import { testCatalogue } from '../../src/test-support/test-catalogue.js';

/** In every secret of the provider, and in what it says that must not be repeated. */
const CANARY = /canary/i;
const SIGNING_SECRET = 'whsec_CANARYsigning';
const FAILURES = [
  [401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_CANARY', code: 'CANARY code' }], [500, { type: 'api_error', message: 'CANARY at the provider' }],
  [429, { type: 'rate_limit_error', message: 'CANARY' }], [400, { type: 'invalid_request_error', code: 'parameter_invalid', param: 'CANARY', message: 'CANARY' }],
  [402, { type: 'card_error', code: 'card_declined', decline_code: 'CANARY', message: 'The card CANARY 4242 was declined.' }], [403, { type: 'CANARY', message: 'CANARY' }],
] as const;

let folder: string;
let stripe: StripeServer;
let gateway: Gateway;
let clock: ManualClock;
/** What the gateway sent to clients and wrote to its log. */
const [said, logged]: [string[], string[]] = [[], []];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'));
  stripe = await StripeServer.start();
  stripe.planted = { client_secret: 'CANARY_client_secret', payment_method_details: { card: { number: 'CANARY card', fingerprint: 'CANARY print' } } };
  clock = new ManualClock(instant(Date.now()));
  const log = createLog('trace', { write: (line) => void logged.push(line) });
  const environment = {
    PORT: '0', SECRET: 'ab'.repeat(32), DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`, PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_CANARYsecret', STRIPE_WEBHOOK_SECRET: SIGNING_SECRET,
    STRIPE_API_BASE: stripe.url,
  };
  const catalogue = new StaticCatalogue({ ...testCatalogue(), creditOffer: { packages: [], custom: { currency: 'USD', min: 100n, max: 100_000n, rate: '1000' as TokenRate } } });
  gateway = await createGateway(environment, (container) => rebind(container, {
    settings: TEST_SETTINGS, clock, leaseClock: 'caller', catalogue, provider: new ScriptedProvider(), log, passwordHasher: new Argon2Hasher(WEAK_ARGON2),
  }));
});
afterAll(async () => {
  await stripe.close();
  rmSync(folder, { recursive: true });
});

async function signedIn(email: string, role: 'owner' | 'operator'): Promise<TestBrowser> {
  const { person, password } = await addPerson(gateway, email, ...(role === 'operator' ? ['operator' as const] : []));
  const browser = new TestBrowser(gateway);
  await call(browser, contract.signIn, { body: { email: person.email, password } });
  return browser;
}

async function call<const Route extends Parameters<TestBrowser['call']>[0]>(browser: TestBrowser, route: Route, parts: CallParts<Route> = {}): Promise<Awaited<ReturnType<TestBrowser['call']>>> {
  const reply = await browser.call(route, parts);
  said.push(`${JSON.stringify(reply.headers)} ${reply.text}`);
  return reply;
}

async function notify({ body, signature }: SignedNotification): Promise<number> {
  const reply = await fetch(`${gateway.url}/payments/notifications/stripe`, { method: 'POST', headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body });
  said.push(`${JSON.stringify([...reply.headers])} ${await reply.text()}`);
  return reply.status;
}

function signing() {
  return { secret: SIGNING_SECRET, at: Math.floor(Date.now() / 1_000) };
}

/** Everything that the gateway left on the disk. */
function stored(): readonly (readonly [file: string, content: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]);
}

it('no secret of the payment provider is in a reply, the log, or what is stored', async () => {
  const [owner, operator] = [await signedIn('ann@example.test', 'owner'), await signedIn('olga@example.test', 'operator')];
  const buy = async (): Promise<string> => {
    const { body } = await call(owner, contract.startPayment, { body: { amount: '10', save_method: true } });
    return typeof body['id'] === 'string' ? body['id'] : '';
  };
  const id = await buy();
  const checkout = stripe.lastCheckout;
  stripe.pay(checkout);
  expect(await notify(stripe.notification('checkout.session.completed', checkout, signing()))).toBe(204);
  expect((await call(operator, contract.refundPayment, { params: { id }, body: { amount: '2', reason: 'a gift' } })).status).toBe(202);
  // A forged notification, and a signed one that is no JSON.
  expect(await notify({ body: '{"CANARY":', signature: 't=1,v1=CANARY' })).toBe(400);
  expect(await notify(signed('CANARY {', signing()))).toBe(503);
  for (const [status, error] of FAILURES) {
    stripe.failure = { status, body: { error: { ...error, ...(status === 402 ? { payment_intent: { id: 'pi_1', object: 'payment_intent' } } : {}) } } };
    await buy();
    await call(operator, contract.checkPayment, { params: { id } });
    await call(operator, contract.refundPayment, { params: { id }, body: { amount: '1', reason: 'a gift' } });
    await notify(stripe.notification('refund.created', checkout, signing()));
    clock.advance(MILLISECONDS_PER_HOUR);
    await gateway.container.get(PaymentReconciler).run();
    stripe.failure = null;
  }
  stripe.dispute(checkout, 'needs_response');
  expect(await notify(stripe.notification('charge.dispute.created', checkout, signing()))).toBe(204);
  for (const route of [contract.listAllPayments, contract.readPaymentHealth] as const) await call(operator, route);
  expect((await call(operator, contract.readAnyPayment, { params: { id } })).body).toMatchObject({ state: 'disputed' });
  await gateway.close();

  const files = stored();
  expect(files.map(([file]) => file)).toContain('tollgate.db');
  expect(files.some(([, content]) => content.includes(id))).toBe(true);
  expect(logged.join('').length).toBeGreaterThan(1_000);
  expect(logged.filter((line) => CANARY.test(line))).toEqual([]);
  expect(said.filter((text) => CANARY.test(text))).toEqual([]);
  expect(files.flatMap(([file, content]) => (CANARY.test(content) ? [file] : []))).toEqual([]);
});
