import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { MILLISECONDS_PER_DAY } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, type TestPerson } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let operator: TestPerson;
let ann: TestPerson;

async function signIn({ person, password }: TestPerson): Promise<TestBrowser> {
  const browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  return browser;
}

async function views(): Promise<readonly string[]> {
  return (await running.trail()).filter(({ action }) => action === 'account.viewed')
    .map(({ actor, subject, accountId }) => `${actor.kind} ${actor.id} ${subject} ${accountId ?? ''}`);
}

beforeAll(async () => {
  running = await startTestGateway();
  operator = await addPerson(running.gateway, 'olga@example.com', 'operator');
  ann = await addPerson(running.gateway, 'ann@example.com');
});
afterAll(() => running.close());

it('operators see the owner’s overview; the first view of a day is audited, which the owner sees', async () => {
  const [browser, owner] = [await signIn(operator), await signIn(ann)];
  const params = { id: String(ann.person.accountId) };
  await owner.call(contract.createKey, { body: { name: 'ci' } });
  const seen = await browser.call(contract.viewOverview, { params });
  const own = await owner.call(contract.overview);
  expect([seen.status, seen.body]).toEqual([200, own.body]);
  const [newest, next] = own.body['activity'] as readonly unknown[];
  expect(newest).toMatchObject({ action: 'account.viewed', subject: params.id, by: 'operator', address: null });
  expect(next).toMatchObject({ action: 'key.created', by: 'owner', address: '127.0.0.1' });

  await browser.call(contract.viewOverview, { params });
  expect(await views()).toEqual([`operator ${operator.person.id} ${params.id} ${params.id}`]);
  running.clock.advance(MILLISECONDS_PER_DAY);
  const again = await signIn(operator);
  await again.call(contract.viewOverview, { params });
  expect(await views()).toHaveLength(2);
});

it('operators see the overview of an account without an owner; other people get 404', async () => {
  const browser = await signIn(operator);
  const before = (await views()).length;
  const { body } = await browser.call(contract.viewOverview, { params: { id: running.caller.account.id } });
  expect(body).toMatchObject({ object: 'overview', account: { id: running.caller.account.id } });
  expect((await browser.call(contract.viewOverview, { params: { id: 'acct_none' } })).status).toBe(404);
  expect((await (await signIn(ann)).call(contract.viewOverview, { params: { id: running.caller.account.id } })).status).toBe(404);
  expect(await views()).toHaveLength(before + 1);
});

it('operators list the plans of the catalogue with their limits', async () => {
  const browser = await signIn(operator);
  const { body } = await browser.call(contract.listPlans);
  const plans = running.parts.catalogue.current().plans;
  expect((body['data'] as readonly { readonly id: string }[]).map(({ id }) => id)).toEqual(plans.map(({ id }) => id));
  const own = (await browser.call(contract.account)).body['limits'] as object;
  const [payAsYouGo] = (body['data'] as readonly { readonly id: string; readonly limits: object }[]).filter(({ id }) => id === 'pay-as-you-go');
  expect({ ...payAsYouGo?.limits, models: [] }).toEqual(own);
});
