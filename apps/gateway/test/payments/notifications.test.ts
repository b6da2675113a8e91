import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { parseTokenRate, type Payment, PaymentDesk, PaymentProviderFailure, SYSTEM_ACTOR } from '@tollgate/core';
import { ScriptedPayments } from '@tollgate/testkit';
import { PAYMENT_CHECK_MILLISECONDS } from '../../src/background/payment-reconciler.js';
import { BodyBudget } from '../../src/http/body-budget.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { testCatalogue } from '../../src/test-support/test-catalogue.js';
import { eventually, RawConnection } from '../../src/test-support/test-client.js';

const OFFER = { packages: [], custom: { currency: 'USD', min: 100n, max: 10_000n, rate: parseTokenRate('100') } };

let provider: ScriptedPayments;
let running: TestGateway;

beforeEach(async () => {
  provider = new ScriptedPayments();
  running = await startTestGateway({ services: { paymentProvider: provider } });
});
afterEach(() => running.close());

async function openPayment(): Promise<Payment> {
  const { parts: { store }, clock, caller: { account } } = running;
  const desk = new PaymentDesk({ records: store.payments, provider, ids: new SequentialIds(), clock, catalogue: new StaticCatalogue({ ...testCatalogue(), creditOffer: OFFER }), accounts: store.accounts, suspendsOnDispute: false });
  return desk.start({ accountId: account.id, choice: { amount: '5' }, saveMethod: false, returnUrlOf: String, cancelUrl: '' }, { actor: SYSTEM_ACTOR, at: clock.now() });
}

async function notify(body: string, at = 'scripted'): Promise<number> {
  const response = await fetch(`${running.gateway.url}/payments/notifications/${at}`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  expect(await response.text()).not.toContain('ref_');
  return response.status;
}

async function stateOf({ id }: Payment): Promise<string | undefined> {
  return (await running.parts.store.payments.find(id))?.payment.state;
}

it('a notification makes the gateway ask the provider for the payment', async () => {
  const payment = await openPayment();
  const reference = payment.reference ?? '';
  expect(await notify(`signed ${reference}`)).toBe(204);
  expect(await stateOf(payment)).toBe('open');
  provider.report(reference, { status: 'paid' });
  for (let times = 0; times < 3; times += 1) expect(await notify(`signed ${reference} ref_unknown`)).toBe(204);
  expect(await stateOf(payment)).toBe('paid');
});

it('a notification that is unsigned, too large or of another provider changes nothing', async () => {
  const payment = await openPayment();
  provider.report(payment.reference ?? '', { status: 'paid' });
  expect(await notify(`forged ${payment.reference ?? ''}`)).toBe(400);
  expect(await notify(`signed ${'x'.repeat(300_000)}`)).toBe(413);
  expect(await notify(`signed ${payment.reference ?? ''}`, 'stripe')).not.toBe(204);
  expect(await stateOf(payment)).toBe('open');
});

it('the address of notifications accepts only POST', async () => {
  const replies = [await running.fetch('/payments/notifications/scripted'), await running.fetch('/payments/notifications/stripe')];
  expect(replies.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([[405, 'POST'], [404, null]]);
});

/** Sends the head of a notification, and the beginning of its body. */
async function begin(headers: string, body: string): Promise<RawConnection> {
  const connection = await RawConnection.open(running.gateway.url);
  await connection.send(`POST /payments/notifications/scripted HTTP/1.1\r\nhost: test\r\n${headers}\r\n\r\n${body}`);
  return connection;
}

it('the body of a notification counts against the memory for bodies until its reply', async () => {
  const { used } = running.gateway.container.get(BodyBudget);
  const whole = `forged ${'x'.repeat(90_000)}`;
  const connection = await begin(`content-length: ${whole.length}`, whole.slice(0, 60_000));
  await eventually(() => used.large === whole.length);
  await connection.send(whole.slice(60_000));
  expect(await connection.until('"invalid_request"')).toMatch(/^HTTP\/1\.1 400 /);
  await eventually(() => used.large === 0);
  connection.destroy();
});

it('a notification without a length is read up to the maximum size', async () => {
  const payment = await openPayment();
  const body = `signed ${payment.reference ?? ''}`;
  const short = await begin('transfer-encoding: chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  expect(await short.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 204 /);
  const long = await begin('transfer-encoding: chunked', `493e0\r\n${'x'.repeat(299_999)}`);
  expect(await long.until('"payload_too_large"')).toMatch(/^HTTP\/1\.1 413 /);
  for (const connection of [short, long]) connection.destroy();
});

it('a notification that arrives too slowly is refused', async () => {
  const resting = running.clock.pendingTasks;
  const connection = await begin('content-length: 1000', 'signed');
  await eventually(() => running.clock.pendingTasks > resting);
  running.clock.advance(5000);
  expect(await connection.until('too slowly')).toMatch(/^HTTP\/1\.1 408 /);
  connection.destroy();
});

it('if a provider does not answer, its notification is refused so that it is repeated, and the reconciler finds the payment', async () => {
  const payment = await openPayment();
  provider.report(payment.reference ?? '', { status: 'paid' });
  provider.failure = new PaymentProviderFailure('unavailable', 'no answer');
  expect(await notify(`signed ${payment.reference ?? ''}`)).toBe(503);
  provider.failure = null;
  for (let turns = 0; turns < 8 && await stateOf(payment) === 'open'; turns += 1) {
    running.clock.advance(PAYMENT_CHECK_MILLISECONDS);
    await new Promise(setImmediate);
  }
  expect(await stateOf(payment)).toBe('paid');
});
