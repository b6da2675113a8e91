import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract, type RouteDefinition } from '@tollgate/api-contract';
import { type JsonObject, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { InstallationSecret } from '@tollgate/adapters-node';
import { SoftwareAuthenticator } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

type RouteName = keyof typeof contract;

/** Valid request bodies, by route. */
const BODIES: Partial<Record<RouteName, object>> = { changeKey: { name: 'mine' }, renamePasskey: { name: 'mine' }, changeWebhook: { description: 'mine' }, actInSimulatedCheckout: { act: 'pay' } };
/** Query strings of the routes that require one. */
const QUERIES: Partial<Record<RouteName, string>> = { resendWebhook: '?since=1970-01-01T00:00:00Z' };
/** Query parameters that contain ids of an account's objects. */
const NAMING_PARAMETERS: ReadonlySet<string> = new Set(['cursor', 'key_id', 'model', 'user']);

const ROUTES = (Object.entries(contract) as [RouteName, RouteDefinition][]).filter(([, { access }]) => access === 'owner' || access === 'signed-in');
const WITH_ID = ROUTES.filter(([, { params }]) => params !== undefined);
const WITH_QUERY = ROUTES.flatMap(([name, route]) => namesIn(route).filter((parameter) => NAMING_PARAMETERS.has(parameter)).map((parameter) => [name, parameter, route] as const));

let running: TestGateway;
let ann: TestBrowser;
let bob: TestBrowser;
/** Ids of objects of another account, by kind. */
let foreign: Readonly<Record<string, string>>;

function namesIn({ query }: RouteDefinition): readonly string[] {
  return query !== undefined && 'shape' in query ? Object.keys(query.shape as object) : [];
}

async function signIn(name: string): Promise<TestBrowser> {
  const { person, password } = await addPerson(running.gateway, `${name}@example.com`);
  const browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  await running.gateway.accountAdministration.credit({
    accountId: textOf(await browser.call(contract.account), 'id') as never, amount: ServiceTokens.parse('100'), reference: 'first', actor: SYSTEM_ACTOR,
  });
  return browser;
}

async function addPasskey(browser: TestBrowser): Promise<string> {
  const authenticator = new SoftwareAuthenticator({ origin: `http://localhost:${new URL(running.url).port}`, id: 'localhost' });
  const options = (await browser.call(contract.passkeyOptions, { body: {} })).body['public_key'] as JsonObject;
  const added = await browser.call(contract.addPasskey, { body: { name: 'Laptop', answer: authenticator.create(options) } });
  return (added.body['passkey'] as { readonly id: string }).id;
}

/** An unknown id with the same prefix. */
function unknownLike(id: string): string {
  return `${id.slice(0, id.indexOf('_') + 1)}unknown0`;
}

/** A reply without the requested id and the request id. */
function shown({ status, headers, text, body }: PageReply, id: string): readonly unknown[] {
  const requestId = (body.error as { readonly request_id?: string } | undefined)?.request_id ?? ' ';
  return [status, headers['content-type'], headers['cache-control'], text.replaceAll(requestId, 'REQUEST').replaceAll(id, 'ID')];
}

async function askWith([name, route]: readonly [RouteName, RouteDefinition], id: string): Promise<readonly unknown[]> {
  const path = `/dashboard/api${route.path.replaceAll(/\{\w+\}/g, id)}${QUERIES[name] ?? ''}`;
  const body = route.body === undefined ? {} : { body: JSON.stringify(BODIES[name]) };
  return shown(await ann.send({ method: route.method.toUpperCase(), path, ...body }), id);
}

async function stateOf(browser: TestBrowser): Promise<readonly unknown[]> {
  const replies = await Promise.all([contract.me, contract.account, contract.listKeys, contract.listSessions, contract.listPasskeys].map((route) => browser.call(route)));
  return replies.map(({ body }) => body);
}

beforeAll(async () => {
  running = await startTestGateway({ services: { secret: new InstallationSecret(new Uint8Array(32), null) } });
  [ann, bob] = [await signIn('ann'), await signIn('bob')];
  const key = await bob.call(contract.createKey, { body: {} });
  const headers = { authorization: `Bearer ${textOf(key, 'secret')}` };
  const reply = await running.post('/v1/chat/completions', { model: 'small', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }, headers);
  const payment = await bob.call(contract.startPayment, { body: { amount: '10' } });
  const { session } = (await bob.call(contract.currentSession)).body as unknown as { readonly session: { readonly id: string } };
  foreign = {
    key: textOf(key, 'id'), request: reply.headers.get('x-request-id') ?? '', session: session.id, account: textOf(await bob.call(contract.account), 'id'), passkey: await addPasskey(bob),
    payment: textOf(payment, 'id'), checkout: new URL(textOf(payment, 'checkout_url')).pathname.split('/').at(-1) ?? '',
  };
});
afterAll(() => running.close());

it.each(WITH_ID)('%s treats the ids of another account as unknown, and changes nothing', async (name, route) => {
  expect(route.body === undefined || BODIES[name] !== undefined).toBe(true);
  const before = await stateOf(bob);
  for (const id of Object.values(foreign)) {
    const answer = await askWith([name, route], id);
    expect(answer).toEqual(await askWith([name, route], unknownLike(id)));
    expect(answer[0]).toBe(404);
  }
  expect(await stateOf(bob)).toEqual(before);
});

it.each(WITH_QUERY)('%s treats another account’s ids in %s as unknown', async (_name, parameter, route) => {
  const ask = async (id: string): Promise<readonly unknown[]> =>
    shown(await ann.send({ method: 'GET', path: `/dashboard/api${route.path}?${parameter}=${encodeURIComponent(id)}` }), id);
  for (const id of Object.values(foreign)) expect(await ask(id)).toEqual(await ask(unknownLike(id)));
});

it('the same ids are known when their owner uses them', async () => {
  expect((await bob.call(contract.readKey, { params: { id: foreign['key'] ?? '' } })).status).toBe(200);
  expect((await bob.call(contract.renamePasskey, { params: { id: foreign['passkey'] ?? '' }, body: { name: 'Phone' } })).status).toBe(204);
});
