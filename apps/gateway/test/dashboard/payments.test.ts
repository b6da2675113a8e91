import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { instant, type JsonObject, later, MILLISECONDS_PER_DAY, rfc3339, ServiceTokens, type SimulatedAct } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser } from '../../src/test-support/test-browser.js';
import { testCatalogue } from '../../src/test-support/test-catalogue.js';

let running: TestGateway;
let ann: TestBrowser;

beforeEach(async () => {
  running = await startTestGateway();
  ann = await signedIn('ann@example.com');
});
afterEach(() => running.close());

async function signedIn(email: string): Promise<TestBrowser> {
  const { person, password } = await addPerson(running.gateway, email);
  const browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  return browser;
}

interface ShownPayment extends JsonObject {
  readonly id: string;
  readonly state: string;
  readonly svc_tokens: string;
  readonly checkout_url: string | null;
  readonly booked_at: string | null;
}

async function started(body: JsonObject, browser = ann): Promise<ShownPayment> {
  const reply = await browser.call(contract.startPayment, { body });
  expect(reply.status).toBe(201);
  return reply.body as ShownPayment;
}

function checkoutOf({ checkout_url: url }: ShownPayment): string {
  return new URL(url ?? '').pathname.replace('/dashboard/simulated-checkout/', '');
}

async function act(payment: ShownPayment, chosen: SimulatedAct, browser = ann): Promise<JsonObject> {
  return (await browser.call(contract.actInSimulatedCheckout, { params: { reference: checkoutOf(payment) }, body: { act: chosen } })).body;
}

async function read(payment: ShownPayment): Promise<ShownPayment> {
  running.parts.clock.advance(3_000);
  return (await ann.call(contract.readPayment, { params: { id: payment.id } })).body as ShownPayment;
}

async function available(): Promise<string> {
  const { balance } = (await ann.call(contract.account)).body as { readonly balance: { readonly available: { readonly svc_tokens: string } } };
  return balance.available.svc_tokens;
}

async function firstPackage(): Promise<string> {
  const { packages } = (await ann.call(contract.readCreditOffer)).body as { readonly packages: readonly { readonly id: string }[] };
  return packages[0]?.id ?? '';
}

describe('an owner who buys credit', () => {
  it('pays for a package, which is credited once', async () => {
    const before = Number(await available());
    const payment = await started({ package: await firstPackage() });
    expect(payment).toMatchObject({ state: 'open', amount: '5.00', currency: 'USD', booked_at: null });
    await act(payment, 'pay');
    const paid = await read(payment);
    expect(paid).toMatchObject({ state: 'paid', booked_at: expect.any(String), checkout_url: null });
    expect(await read(payment)).toMatchObject({ state: 'paid' });
    expect(Number(await available())).toBe(before + Number(paid.svc_tokens));
    const { data } = (await ann.call(contract.listOwnMoneyActs)).body as { readonly data: readonly JsonObject[] };
    expect(data.map(({ kind, reference, svc_tokens: amount }) => [kind, reference, amount])).toEqual([['payment', `sandbox:${payment.id}`, paid.svc_tokens]]);
  });

  it('is shown when the credit of a package expires: before, at and after the checkout', async () => {
    const { catalogue } = running.parts;
    const month = { id: 'month', name: 'Month', amount: 1_000n, currency: 'USD', tokens: ServiceTokens.parse('100'), bonus: ServiceTokens.ZERO, creditExpiresAfterDays: 30 };
    catalogue.replace({ ...testCatalogue(), creditOffer: { packages: [month], custom: null } });
    expect((await ann.call(contract.readCreditOffer)).body).toMatchObject({ packages: [{ id: 'month', credit_expires_after_days: 30 }] });
    const payment = await started({ package: 'month' });
    expect(payment).toMatchObject({ credit_expires_after_days: 30, credit_expires_at: null });
    const { body: checkout } = await ann.call(contract.readSimulatedCheckout, { params: { reference: checkoutOf(payment) } });
    expect(checkout).toMatchObject({ description: 'Month', details: '100 service tokens. What is left of the credit expires 30 days after the payment.' });
    await act(payment, 'pay');
    const paid = await read(payment);
    expect(paid['credit_expires_at']).toBe(rfc3339(later(instant(Date.parse(paid.booked_at ?? '')), 30 * MILLISECONDS_PER_DAY)));
    const { data } = (await ann.call(contract.listCredits)).body as { readonly data: readonly JsonObject[] };
    expect(data.map(({ expires_at: at }) => at)).toEqual([paid['credit_expires_at']]);
  });

  it.each([['decline', 'failed'], ['pay-late', 'open']] as const)('gets no credit at a checkout that ends with “%s”', async (chosen, state) => {
    const payment = await started({ amount: '12.50' });
    await act(payment, chosen);
    expect(await read(payment)).toMatchObject({ state, amount: '12.50', booked_at: null });
    expect(await available()).toBe('0');
  });

  it('is credited for a late payment when it arrives', async () => {
    const payment = await started({ amount: '12.50' });
    await act(payment, 'pay-late');
    running.parts.clock.advance(60_000);
    expect(await read(payment)).toMatchObject({ state: 'paid' });
    expect(await available()).toBe(payment.svc_tokens);
  });

  it('loses the credit when the payment is disputed', async () => {
    const payment = await started({ amount: '12.50' });
    await act(payment, 'pay');
    await read(payment);
    await act(payment, 'dispute');
    expect(await available()).toBe('0');
  });

  it.each([
    [{}, null], [{ package: 'none' }, 'package'], [{ amount: '0.50' }, 'amount'], [{ amount: '1.001' }, 'amount'], [{ amount: '100000' }, 'amount'], [{ amount: '5', package: 'small' }, null],
  ])('is told what is wrong with %j', async (body, param) => {
    const reply = await ann.call(contract.startPayment, { body });
    expect(reply.status).toBe(400);
    expect((reply.body as { readonly error: JsonObject }).error['code']).toBe('invalid_request');
    expect((reply.body as { readonly error: JsonObject }).error['param'] ?? null).toBe(param);
  });
});

it('another owner sees neither the payment nor its checkout, and cannot pay it', async () => {
  const bob = await signedIn('bob@example.com');
  const payment = await started({ amount: '12.50' });
  const replies = [
    await bob.call(contract.readPayment, { params: { id: payment.id } }),
    await bob.call(contract.readSimulatedCheckout, { params: { reference: checkoutOf(payment) } }),
    await bob.call(contract.actInSimulatedCheckout, { params: { reference: checkoutOf(payment) }, body: { act: 'pay' } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await bob.call(contract.listPayments)).body).toMatchObject({ data: [] });
  expect(await read(payment)).toMatchObject({ state: 'open' });
});
