import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, type JsonObject, MILLISECONDS_PER_HOUR, ServiceTokens, type SimulatedAct, SYSTEM_ACTOR } from '@tollgate/core';
import { TOP_UP_INTERVAL_MILLISECONDS } from '../../src/background/top-up-runner.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let ann: TestBrowser;
let accountId: AccountId;

beforeEach(async () => {
  running = await startTestGateway();
  const { person, password } = await addPerson(running.gateway, 'ann@example.com');
  ann = new TestBrowser(running.gateway);
  await ann.call(contract.signIn, { body: { email: person.email, password } });
  accountId = textOf(await ann.call(contract.account), 'id') as AccountId;
});
afterEach(() => running.close());

/** A package of the sandbox: 5000 service tokens for 5 US dollars. */
const SETTINGS = { threshold: '20000', package: 'simulated-5', max_per_day: 3, monthly_amount: '50' };

/** Buys 5000 service tokens; by default the sandbox accepts the payment and keeps the method. */
async function saveMethod(act: SimulatedAct = 'pay'): Promise<void> {
  const { body } = await ann.call(contract.startPayment, { body: { package: 'simulated-5', save_method: true } });
  await actIn(body, act);
}

async function actIn({ checkout_url: url }: JsonObject, act: SimulatedAct): Promise<void> {
  const reference = new URL(typeof url === 'string' ? url : '').pathname.replace('/dashboard/simulated-checkout/', '');
  await ann.call(contract.actInSimulatedCheckout, { params: { reference }, body: { act } });
}

async function read(): Promise<JsonObject> {
  return (await ann.call(contract.readAutomaticTopUp)).body;
}

async function lastCharge(): Promise<JsonObject> {
  return (await read())['last_charge'] as JsonObject;
}

/** Advances the clock by runs of the background task until the owner's page satisfies the condition. */
async function turn(isOver: (shown: JsonObject) => boolean): Promise<JsonObject> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    running.parts.clock.advance(TOP_UP_INTERVAL_MILLISECONDS);
    const shown = await read();
    if (isOver(shown)) return shown;
    await new Promise((resolve) => { setImmediate(resolve); });
  }
  throw new Error(`the task has not run: ${JSON.stringify(await read())}`);
}

describe('automatic top-up', () => {
  it('is off at first, and needs a saved payment method', async () => {
    expect(await read()).toMatchObject({ provider: 'sandbox', enabled: false, settings: null, method_saved: false, last_charge: null, stopped: null });
    expect((await ann.call(contract.enableAutomaticTopUp, { body: SETTINGS })).body).toMatchObject({ error: { code: 'conflict' } });
    expect((await ann.call(contract.openPaymentPortal)).body).toMatchObject({ error: { code: 'conflict' } });
  });

  it('charges the saved method until the balance reaches the threshold, shows each charge, and can be switched off', async () => {
    await saveMethod();
    expect((await ann.call(contract.enableAutomaticTopUp, { body: SETTINGS })).body).toMatchObject({ enabled: true, settings: { threshold: '20000', package: 'simulated-5', amount: '5.00', currency: 'USD', max_per_day: 3, monthly_amount: '50.00' } });
    const shown = await turn(({ charges_today: charges, next_try_at: next }) => charges === 3 && next === null);
    expect(shown).toMatchObject({ charged_this_month: '15.00', waits_for: null, last_charge: { state: 'paid' } });
    expect((await ann.call(contract.account)).body).toMatchObject({ balance: { available: { svc_tokens: '20000' } } });
    expect((await ann.call(contract.disableAutomaticTopUp)).body).toMatchObject({ enabled: false, stopped: null, settings: { threshold: '20000' } });
    const { data } = (await ann.call(contract.activity)).body as { readonly data: readonly JsonObject[] };
    expect(data.filter(({ action, by }) => action === 'account.changed' && by === 'owner').length).toBe(2);
  });

  it('cannot be switched on with an invalid field, which the refusal names, or without a recent proof', async () => {
    await saveMethod();
    for (const [change, param] of [[{ monthly_amount: '4.99' }, 'monthly_amount'], [{ package: 'none' }, 'package'], [{ threshold: '0' }, 'threshold'], [{ max_per_day: 0 }, 'max_per_day']] as const) {
      expect((await ann.call(contract.enableAutomaticTopUp, { body: { ...SETTINGS, ...change } })).body).toMatchObject({ error: { code: 'invalid_request', param } });
    }
    running.parts.clock.advance(MILLISECONDS_PER_HOUR);
    expect((await ann.call(contract.enableAutomaticTopUp, { body: SETTINGS })).body).toMatchObject({ error: { code: 'fresh_proof_required' } });
    expect((await ann.call(contract.openPaymentPortal)).body).toMatchObject({ error: { code: 'fresh_proof_required' } });
    expect((await ann.call(contract.disableAutomaticTopUp)).status).toBe(200);
  });

  it('waits after a charge was declined', async () => {
    await saveMethod('pay-declines-later');
    await ann.call(contract.enableAutomaticTopUp, { body: SETTINGS });
    expect(await turn(({ waits_for: waits }) => waits === 'declined')).toMatchObject({ enabled: true, declines: 1, charges_today: 0, last_charge: { state: 'failed' } });
  });

  it('books a charge that the owner confirms on the provider’s page', async () => {
    await saveMethod('pay-asks-later');
    await running.gateway.accountAdministration.credit({ accountId, amount: ServiceTokens.parse('12000'), reference: 'a credit', actor: SYSTEM_ACTOR });
    await ann.call(contract.enableAutomaticTopUp, { body: SETTINGS });
    await turn(({ waits_for: waits }) => waits === 'authentication');
    await actIn(await lastCharge(), 'pay');
    expect(await turn(({ next_try_at: next }) => next === null)).toMatchObject({ waits_for: null, charges_today: 1, last_charge: { state: 'paid' } });
    expect((await ann.call(contract.openPaymentPortal)).body).toMatchObject({ object: 'payment_portal', url: expect.stringContaining('/dashboard/billing') });
  });
});
