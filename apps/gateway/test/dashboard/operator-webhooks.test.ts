import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { InstallationSecret } from '@tollgate/adapters-node';
import { contract } from '@tollgate/api-contract';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let olga: TestBrowser;
let olgaId: string;
let ada: TestBrowser;
let adaAccount: string;

async function signedIn(email: string, role: 'owner' | 'operator') {
  const { password, person } = await addPerson(running.gateway, email, role);
  const browser = new TestBrowser(running.gateway);
  expect((await browser.call(contract.signIn, { body: { email, password } })).status).toBe(200);
  return { browser, person };
}

function create(): Promise<PageReply> {
  return olga.call(contract.createOperatorWebhook, { body: { url: 'http://10.0.0.7/hook', types: ['upstream.down'], description: 'The pager' } });
}

beforeAll(async () => {
  running = await startTestGateway({ services: { secret: new InstallationSecret(new Uint8Array(32).fill(1), null) } });
  const [operator, owner] = [await signedIn('olga@example.test', 'operator'), await signedIn('ada@example.test', 'owner')];
  [olga, olgaId, ada, adaAccount] = [operator.browser, operator.person.id, owner.browser, owner.person.accountId ?? ''];
});
afterAll(() => running.close());

it('webhooks of operators, also at private addresses, are created, changed, rotated, tested and deleted', async () => {
  const made = await create();
  const params = { id: textOf(made, 'id') };
  expect([made.status, made.body]).toMatchObject([201, { object: 'webhook', status: 'active', types: ['upstream.down'], secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{40}$/) }]);
  const { secret: _secret, ...shown } = made.body;
  expect((await olga.call(contract.listOperatorWebhooks)).body).toMatchObject({ data: [{ ...shown, last_delivery: null }] });
  expect((await olga.call(contract.changeOperatorWebhook, { params, body: { status: 'disabled', types: null } })).body).toMatchObject({ status: 'disabled', disabled_reason: 'requested', types: null });
  expect((await olga.call(contract.testOperatorWebhook, { params })).status).toBe(409);
  expect((await olga.call(contract.resendOperatorWebhook, { params, query: { since: '2026-01-01T00:00:00Z' } })).body).toMatchObject({ status: 'active' });
  expect(textOf(await olga.call(contract.rotateOperatorWebhook, { params }), 'secret')).not.toBe(made.body['secret']);
  expect((await olga.call(contract.testOperatorWebhook, { params })).status).toBe(202);
  const deliveries = await olga.call(contract.listOperatorWebhookDeliveries, { params, query: {} });
  expect(deliveries.body).toMatchObject({ data: [{ type: 'webhook.test', status: 'waiting', attempts: 0 }], next_cursor: null });
  expect((await olga.call(contract.listOperatorWebhooks)).body).toMatchObject({ data: [{ last_delivery: { type: 'webhook.test' } }] });
  expect((await olga.call(contract.deleteOperatorWebhook, { params })).status).toBe(204);
  expect((await olga.call(contract.readOperatorWebhook, { params })).status).toBe(404);

  const trail = (await running.trail()).filter(({ subject }) => subject === params.id);
  expect(new Set(trail.map(({ actor }) => `${actor.kind} ${actor.id}`))).toEqual(new Set([`operator ${olgaId}`]));
});

it('owners get 404 for the webhooks of operators, and operators get 404 for those of owners', async () => {
  const params = { id: textOf(await create(), 'id') };
  const since = { since: '2026-01-01T00:00:00Z' };
  const own = { params: { id: textOf(await ada.call(contract.createWebhook, { body: { url: 'https://shop.example.com/', types: null, description: '' } }), 'id') } };
  const replies = [
    await ada.call(contract.readWebhook, { params }), await ada.call(contract.changeWebhook, { params, body: { description: '' } }), await ada.call(contract.rotateWebhook, { params }),
    await ada.call(contract.testWebhook, { params }), await ada.call(contract.listWebhookDeliveries, { params, query: {} }), await ada.call(contract.deleteWebhook, { params }),
    await ada.call(contract.resendWebhook, { params, query: since }),
    await ada.call(contract.listOperatorWebhooks), await ada.call(contract.createOperatorWebhook, { body: { url: 'https://a.example.com/', types: null, description: '' } }),
    await ada.call(contract.readOperatorWebhook, { params }), await ada.call(contract.changeOperatorWebhook, { params, body: { description: '' } }), await ada.call(contract.rotateOperatorWebhook, { params }),
    await ada.call(contract.testOperatorWebhook, { params }), await ada.call(contract.listOperatorWebhookDeliveries, { params, query: {} }), await ada.call(contract.deleteOperatorWebhook, { params }),
    await ada.call(contract.resendOperatorWebhook, { params, query: since }),
    await olga.call(contract.readOperatorWebhook, own), await olga.call(contract.changeOperatorWebhook, { ...own, body: { description: '' } }), await olga.call(contract.rotateOperatorWebhook, own),
    await olga.call(contract.testOperatorWebhook, own), await olga.call(contract.listOperatorWebhookDeliveries, { ...own, query: {} }), await olga.call(contract.deleteOperatorWebhook, own),
    await olga.call(contract.resendOperatorWebhook, { ...own, query: since }),
  ];
  expect(replies.map(({ status }) => status)).toEqual(Array(replies.length).fill(404));
  expect((await olga.call(contract.readOperatorWebhook, { params })).body).toMatchObject({ description: 'The pager', previous_secret_expires_at: null });
});

it('webhooks of a suspended owner can be read, but not changed', async () => {
  const body = { url: 'https://shop.example.com/', types: null, description: '' };
  const params = { id: textOf(await ada.call(contract.createWebhook, { body }), 'id') };
  expect((await olga.call(contract.suspendAccount, { params: { id: adaAccount }, body: { reason: 'unpaid' } })).status).toBe(200);
  const reads = [await ada.call(contract.listWebhooks), await ada.call(contract.readWebhook, { params }), await ada.call(contract.listWebhookDeliveries, { params, query: {} })];
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
  const changes = [
    await ada.call(contract.createWebhook, { body }), await ada.call(contract.changeWebhook, { params, body: { status: 'disabled' } }), await ada.call(contract.rotateWebhook, { params }),
    await ada.call(contract.testWebhook, { params }), await ada.call(contract.deleteWebhook, { params }), await ada.call(contract.resendWebhook, { params, query: { since: '2026-01-01T00:00:00Z' } }),
  ];
  expect(changes.map(({ status, body: { error } }) => [status, error?.code])).toEqual(changes.map(() => [403, 'account_inactive']));
});

it('webhooks of operators are limited to twenty', async () => {
  let made = await create();
  for (let count = 0; made.status === 201 && count < 20; count += 1) made = await create();
  expect([made.status, made.body.error?.code]).toEqual([409, 'conflict']);
  expect((await olga.call(contract.listOperatorWebhooks)).body['data']).toHaveLength(20);
});
