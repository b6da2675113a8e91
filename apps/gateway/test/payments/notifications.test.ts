import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SequentialIds, StaticCatalogue } from '@tollgate/adapters-memory';
import { parseTokenRate, type Payment, PaymentDesk, PaymentProviderFailure, SYSTEM_ACTOR } from '@tollgate/core';
import { ScriptedPayments } from '@tollgate/testkit';
import { PAYMENT_CHECK_MILLISECONDS } from '../../src/background/payment-reconciler.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { testCatalogue } from '../../src/test-support/test-catalogue.js';

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
