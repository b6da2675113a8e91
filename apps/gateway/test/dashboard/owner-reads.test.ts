import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, type JsonObject, SYSTEM_ACTOR } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { testCatalogue } from '../../src/test-support/test-catalogue.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let browser: TestBrowser;
let key: string;

function read(path: string): Promise<Response> {
  return running.fetch(path, { headers: { authorization: `Bearer ${key}` } });
}

beforeAll(async () => {
  running = await startTestGateway();
  const { person, password } = await addPerson(running.gateway, 'ann@example.com');
  browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  key = textOf(await browser.call(contract.createKey, { body: {} }), 'secret');
});
afterAll(() => running.close());

it('the dashboard shows an owner the same account as GET /v1/account', async () => {
  const reply = await browser.call(contract.account);
  expect(reply.text).toBe(await (await read('/v1/account')).text());
  expect(reply.body).toMatchObject({ object: 'account', used: { api_keys: 1 } });
});

it('the dashboard lists the models of GET /v1/models, and also models outside the plan', async () => {
  await running.gateway.accountAdministration.change(textOf(await browser.call(contract.account), 'id') as AccountId, { planId: running.caller.account.planId }, SYSTEM_ACTOR);
  const { data } = (await browser.call(contract.listModels)).body as { readonly data: readonly JsonObject[] };
  const { data: ofKey } = await (await read('/v1/models')).json() as { readonly data: readonly JsonObject[] };
  expect(data.filter((model) => model['in_plan'] === true)).toEqual(ofKey.map((model) => ({ ...model, in_plan: true })));
  expect(data.filter((model) => model['in_plan'] === false).map(({ id }) => id)).toEqual(['other-plan']);
});

it('a browser that has the list of models gets 304 until the list changes', async () => {
  const { headers } = await browser.call(contract.listModels);
  expect(headers['cache-control']).toBe('private, no-cache');
  const known = { 'if-none-match': `"other", ${headers.etag ?? ''}` };
  const again = await browser.call(contract.listModels, { headers: known });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
  const contents = testCatalogue();
  running.parts.catalogue.replace({ ...contents, models: contents.models.slice(1) });
  expect((await browser.call(contract.listModels, { headers: known })).status).toBe(200);
});
