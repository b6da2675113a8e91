import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { CREDIT_INTERVAL_MILLISECONDS } from '../../src/background/credit-runner.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';
import { until } from '@tollgate/testkit';

let running: TestGateway;
let owner: TestBrowser;
let operator: TestBrowser;
let params: { readonly id: string };

beforeEach(async () => {
  running = await startTestGateway();
  const signIn = async (email: string, role: 'owner' | 'operator'): Promise<TestBrowser> => {
    const { person, password } = await addPerson(running.gateway, email, role);
    const browser = new TestBrowser(running.gateway);
    await browser.call(contract.signIn, { body: { email: person.email, password } });
    return browser;
  };
  owner = await signIn('ann@example.com', 'owner');
  operator = await signIn('olga@example.com', 'operator');
  params = { id: textOf(await owner.call(contract.account), 'id') };
});
afterEach(() => running.close());

function afterDays(days: number): string {
  return new Date(running.clock.now() + days * 86_400_000).toISOString();
}

function credit(reference: string, expiresAt: string | null) {
  return operator.call(contract.creditAccount, { params, body: { svc_tokens: '10', reference, reason: 'test', expires_at: expiresAt } });
}

it('an operator adds a credit that expires on a day, and until that day the owner sees what is left of it', async () => {
  const expiresAt = afterDays(30);
  expect((await credit('order 1', expiresAt)).status).toBe(200);
  await credit('order 2', null);
  const left = { object: 'credit', svc_tokens: '10', left: '10' };
  const credits = [{ ...left, reference: 'order 1', expires_at: expiresAt }, { ...left, reference: 'order 2', expires_at: null }];
  expect((await owner.call(contract.listCredits)).body).toMatchObject({ object: 'credits', data: credits, has_more: false });
  expect((await operator.call(contract.listCreditsOfAccount, { params })).body).toMatchObject({ data: credits });
  running.clock.advance(31 * 86_400_000);
  await running.clock.advanceAsync(CREDIT_INTERVAL_MILLISECONDS);
  await until(async () => (await running.parts.store.ledger.balanceOf(params.id as never))?.posted.toString() === '10');
  const { acts: [act] } = await running.parts.store.lookups.moneyActs(params.id as never, { limit: 10, before: null });
  expect([act?.kind, act?.amount.toString()]).toEqual(['expiry', '-10']);
});

it('the expiry of a credit must be in the future; a repetition under the same reference must state the same expiry', async () => {
  expect((await credit('order 1', afterDays(-1))).body).toMatchObject({ error: { code: 'invalid_request', param: 'expires_at' } });
  await credit('order 1', afterDays(30));
  expect((await credit('order 1', afterDays(30))).body).toMatchObject({ outcome: 'repeated' });
  expect((await credit('order 1', afterDays(31))).body).toMatchObject({ error: { code: 'conflict' } });
});
