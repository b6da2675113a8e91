import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InstallationSecret } from '@tollgate/adapters-node';
import { contract } from '@tollgate/api-contract';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let ada: TestBrowser;
let bob: TestBrowser;

async function signedIn(email: string): Promise<TestBrowser> {
  const { password } = await addPerson(running.gateway, email, 'owner');
  const browser = new TestBrowser(running.gateway);
  expect((await browser.call(contract.signIn, { body: { email, password } })).status).toBe(200);
  return browser;
}

function create(url = 'https://shop.example.com/hook', browser = ada): Promise<PageReply> {
  return browser.call(contract.createWebhook, { body: { url, types: ['balance.low'], description: 'The shop' } });
}

beforeAll(async () => {
  running = await startTestGateway({ services: { secret: new InstallationSecret(new Uint8Array(32).fill(1), null) } });
  [ada, bob] = [await signedIn('ada@example.test'), await signedIn('bob@example.test')];
});
afterAll(() => running.close());

it('webhooks are created with a secret shown once, changed, rotated, tested and deleted by their owner', async () => {
  const made = await create();
  const params = { id: textOf(made, 'id') };
  expect([made.status, made.body]).toMatchObject([201, { object: 'webhook', status: 'active', types: ['balance.low'], secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{40}$/) }]);
  const { secret: _secret, ...shown } = made.body;
  expect((await ada.call(contract.listWebhooks)).body).toMatchObject({ data: [shown] });
  expect((await ada.call(contract.changeWebhook, { params, body: { status: 'disabled', types: null } })).body).toMatchObject({ status: 'disabled', disabled_reason: 'requested', types: null });
  expect((await ada.call(contract.testWebhook, { params })).status).toBe(409);
  expect((await ada.call(contract.resendWebhook, { params, query: { since: '2026-01-01T00:00:00Z' } })).body).toMatchObject({ status: 'active' });
  expect(textOf(await ada.call(contract.rotateWebhook, { params }), 'secret')).not.toBe(made.body['secret']);
  expect((await ada.call(contract.testWebhook, { params })).status).toBe(202);
  expect((await ada.call(contract.listWebhookDeliveries, { params, query: {} })).body).toMatchObject({ data: [{ type: 'webhook.test', status: 'waiting', attempts: 0 }], next_cursor: null });
  expect((await ada.call(contract.deleteWebhook, { params })).status).toBe(204);
  expect((await ada.call(contract.readWebhook, { params })).status).toBe(404);
});

it('webhooks are visible only to the owner of their account', async () => {
  const params = { id: textOf(await create(), 'id') };
  const replies = [
    await bob.call(contract.readWebhook, { params }), await bob.call(contract.changeWebhook, { params, body: { description: '' } }), await bob.call(contract.rotateWebhook, { params }),
    await bob.call(contract.testWebhook, { params }), await bob.call(contract.listWebhookDeliveries, { params, query: {} }), await bob.call(contract.deleteWebhook, { params }),
    await bob.call(contract.resendWebhook, { params, query: { since: '2026-01-01T00:00:00Z' } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual(Array(7).fill(404));
  expect((await bob.call(contract.listWebhooks)).body).toMatchObject({ data: [] });
});

it.each(['http://shop.example.com/', 'https://127.0.0.1/', 'https://0x7f.1/', 'https://[::ffff:10.0.0.1]/', 'https://localhost/', 'https://a:b@shop.example.com/', 'shop'])('an owner’s webhook cannot have the address %s', async (url) => {
  const { status, body } = await create(url);
  expect([status, body['error']]).toMatchObject([400, { code: 'invalid_request', param: 'url' }]);
});

it('webhooks are limited to five per account', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) statuses.push((await create('https://shop.example.com/', bob)).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201, 409]);
});
