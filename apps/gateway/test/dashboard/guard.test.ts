import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract, type RouteDefinition } from '@tollgate/api-contract';
import { MILLISECONDS_PER_DAY, StoreUnavailable, SYSTEM_ACTOR } from '@tollgate/core';
import { changeStanding } from '@tollgate/testkit';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, type TestPerson } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let ann: TestPerson;
let browser: TestBrowser;
let isAway = false;

const ROUTES: readonly RouteDefinition[] = Object.values(contract);
const ADDRESS = 'ann@example.com';

/** Wraps a store whose methods fail while `isAway`. */
function interruptible<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        if (isAway) return Promise.reject(new StoreUnavailable(new Error('away')));
        return Reflect.apply(member, target, given);
      };
    },
  });
}

async function signIn(): Promise<void> {
  const reply = await browser.call(contract.signIn, { body: { email: ADDRESS, password: ann.password } });
  expect(reply.status).toBe(200);
}

/** Sends a request without a body, with the id of a key in place of any parameter. */
function bare(route: RouteDefinition, headers: Readonly<Record<string, string | null>> = {}) {
  const path = `/dashboard/api${route.path.replaceAll(/\{\w+\}/g, 'key_1')}`;
  return browser.send({ method: route.method.toUpperCase(), path, headers });
}

beforeAll(async () => {
  running = await startTestGateway({ services: ({ store }) => ({ sessionRecords: interruptible(store.sessions) }) });
  ann = await addPerson(running.gateway, ADDRESS);
});
afterAll(() => running.close());
beforeEach(() => {
  browser = new TestBrowser(running.gateway);
});
afterEach(() => browser.cookies.clear());

describe('a session', () => {
  it('starts with the right password, identifies the person, and ends at sign-out', async () => {
    await signIn();
    const me = await browser.call(contract.me);
    expect(me.body).toMatchObject({ person: { email: ADDRESS, role: 'owner' }, account: { standing: 'good' }, reach: 'full', now: new Date(running.clock.now()).toISOString() });
    const session = [...browser.cookies];
    expect((await browser.call(contract.signOut)).status).toBe(204);
    expect(browser.cookies.size).toBe(0);
    for (const [name, value] of session) browser.cookies.set(name, value);
    expect((await browser.call(contract.me)).body.error?.code).toBe('not_signed_in');
  });

  it('has a new token after each sign-in, which ends the browser’s earlier session', async () => {
    await signIn();
    const [[name, first] = ['', '']] = [...browser.cookies];
    await signIn();
    expect([...browser.cookies.values()]).not.toContain(first);
    browser.cookies.set(name, first);
    expect((await browser.call(contract.me)).status).toBe(401);
  });

  it('gets a new token at sign-in, whatever session cookie the browser sent', async () => {
    browser.cookies.set('tollgate_session', 'A'.repeat(43));
    await signIn();
    expect([...browser.cookies.values()]).not.toContain('A'.repeat(43));
  });

  it('is refused with the same message for a wrong password and an unknown address', async () => {
    const replies = await Promise.all([ADDRESS, 'stranger@example.com'].map((email) => browser.call(contract.signIn, { body: { email, password: 'wrong horse' } })));
    const texts = replies.map(({ status, body }) => `${status} ${body.error?.code} ${body.error?.message}`);
    expect([...new Set(texts)]).toEqual(['401 sign_in_failed The e-mail address or password is incorrect.']);
  });
});

describe('every route', () => {
  it.each(ROUTES.filter(({ access }) => access !== 'anyone').map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s requires a session', async (_name, route) => expect((await bare(route)).body.error?.code).toBe('not_signed_in'));

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))('%s accepts no API key, even together with a cookie', async (_name, route) => {
    await signIn();
    for (const headers of [{ authorization: `Bearer ${running.caller.key}` }, { 'x-api-key': running.caller.key }]) {
      expect((await bare(route, headers)).body.error?.code).toBe('not_signed_in');
    }
  });

  it.each(ROUTES.filter(({ method }) => method !== 'get').map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s requires the dashboard’s own Origin', async (_name, route) => {
      for (const origin of [null, 'null', 'http://evil.example', 'http://localhost:1', `https://localhost:${new URL(running.url).port}`]) {
        expect((await bare(route, { origin })).body.error?.code).toBe('wrong_origin');
      }
    });

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))('%s is served only under the dashboard’s host names', async (_name, route) => {
    const reply = await bare(route, { host: 'evil.example' });
    expect([reply.status, reply.body.error?.code]).toEqual([421, 'wrong_host']);
  });

  it.each(ROUTES.filter(({ body, takes }) => body !== undefined || takes !== undefined).map((route) => [`${route.method} ${route.path}`, route] as const))('%s refuses bodies other than JSON', async (_name, route) => {
    if (route.access !== 'anyone') await signIn();
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', null]) {
      const headers = { 'content-type': type };
      const reply = await browser.send({ method: route.method.toUpperCase(), path: `/dashboard/api${route.path.replaceAll(/\{\w+\}/g, 'key_1')}`, body: 'email=a', headers });
      expect(reply.body.error?.code).toBe(route.access === 'operator' ? 'not_found' : 'unsupported_media_type');
    }
  });

  it('accepts bodies of at most 64 KiB, counted after decompression', async () => {
    // Random white space, which gzip compresses to about a sixth.
    let state = 1;
    const space = (length: number): string => Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) % 2 === 0 ? ' ' : '\n').join('');
    const signInOf = (bytes: number): string => `${JSON.stringify({ email: ADDRESS, password: ann.password })}${space(bytes)}`.slice(0, bytes);
    const send = async (body: string | Buffer, headers = {}): Promise<number> =>
      (await browser.send({ method: 'POST', path: `/dashboard/api${contract.signIn.path}`, body, headers })).status;
    const sendEncoded = (bytes: number): Promise<number> => send(gzipSync(signInOf(bytes)), { 'content-encoding': 'gzip' });
    expect([await send(signInOf(65_536)), await send(signInOf(65_537))]).toEqual([200, 413]);
    expect([await sendEncoded(65_536), await sendEncoded(65_537)]).toEqual([200, 413]);
  });

  it('for operators answers 404 to an owner', async () => {
    await signIn();
    const unknown = await browser.send({ method: 'GET', path: '/dashboard/api/unknown' });
    for (const route of ROUTES.filter(({ access }) => access === 'operator')) {
      const reply = await bare(route);
      expect([route.path, reply.status, reply.body.error?.message]).toEqual([route.path, 404, unknown.body.error?.message]);
    }
  });
});

it('without a session, an unknown path gets the same reply as a known one; with a session, 404', async () => {
  expect((await browser.send({ method: 'GET', path: '/dashboard/api/unknown' })).body.error?.code).toBe('not_signed_in');
  await signIn();
  expect((await browser.send({ method: 'GET', path: '/dashboard/api/unknown' })).body.error?.code).toBe('not_found');
});

describe('a method that a path does not have', () => {
  const put = (path: string): Promise<PageReply> => browser.send({ method: 'PUT', path: `/dashboard/api${path}`, body: '{}' });

  it('is answered with 405 and the methods of the path', async () => {
    await signIn();
    const paths = ['/keys', '/keys/key_1', '/auth/passkeys/options', '/auth/sign-up', '/usage/export', '/models'];
    expect(await Promise.all(paths.map(async (path) => (await put(path)).headers['allow']))).toEqual(['GET, HEAD, POST', 'GET, HEAD, PATCH', 'POST', 'POST', 'GET, HEAD', 'GET, HEAD']);
    const reply = await put('/keys');
    expect([reply.status, reply.body.error?.code]).toEqual([405, 'method_not_allowed']);
  });

  it('is answered with 401 without a session, and with 404 to an owner on a path for operators', async () => {
    expect((await put('/keys')).body.error?.code).toBe('not_signed_in');
    await signIn();
    const [hidden, unknown] = [await put('/operator/live'), await put('/operator/unknown')];
    expect([hidden.status, hidden.headers['allow'], hidden.body.error?.message]).toEqual([404, undefined, unknown.body.error?.message]);
  });
});

it('a cookie gives no access to /v1', async () => {
  await signIn();
  const reply = await browser.send({ method: 'GET', path: '/v1/models' });
  expect([reply.status, reply.body.error?.code]).toEqual([401, 'missing_api_key']);
});

it('a request with an unknown field or a value of the wrong type is refused, and the refusal names the field', async () => {
  const path = '/dashboard/api/auth/sign-in';
  const reply = await browser.send({ method: 'POST', path, body: JSON.stringify({ email: ADDRESS, password: 'x', role: 'operator' }) });
  expect(reply.body.error).toMatchObject({ code: 'invalid_request', param: 'role' });
  expect((await browser.send({ method: 'POST', path, body: JSON.stringify({ email: 7, password: 'x' }) })).body.error).toMatchObject({ param: 'email' });
});

it('a suspended owner can only read and sign out', async () => {
  const bob = await addPerson(running.gateway, 'bob@example.com');
  await browser.call(contract.signIn, { body: { email: 'bob@example.com', password: bob.password } });
  const { accountId } = bob.person;
  if (accountId === null) throw new Error('the verified person has no account');
  await changeStanding(running.parts.store.accounts, accountId, { status: 'suspended' }, { actor: SYSTEM_ACTOR, at: running.clock.now() });
  expect((await browser.call(contract.me)).body).toMatchObject({ account: { standing: 'suspended' } });
  for (const route of ROUTES.filter(({ method, access, openTo }) => method !== 'get' && access === 'owner' && openTo !== 'inactive')) {
    expect((await bare(route)).body.error?.code).toBe('account_inactive');
  }
  expect((await browser.call(contract.signOut)).status).toBe(204);
});

it('while the session store is unreadable, replies are 503, never "signed out"', async () => {
  await signIn();
  isAway = true;
  expect((await browser.call(contract.me)).body.error?.code).toBe('service_unavailable');
  expect((await browser.call(contract.signOut)).body.error?.code).toBe('service_unavailable');
  isAway = false;
  expect((await browser.call(contract.me)).status).toBe(200);
});

it('a session ends after its idle time, which polling does not extend', async () => {
  await signIn();
  running.clock.advance(6 * MILLISECONDS_PER_DAY);
  expect((await browser.call(contract.account)).status).toBe(200);
  for (let day = 1; day < 7; day += 1) {
    running.clock.advance(MILLISECONDS_PER_DAY);
    expect((await browser.call(contract.me)).status).toBe(200);
  }
  running.clock.advance(MILLISECONDS_PER_DAY);
  expect((await browser.call(contract.me)).status).toBe(401);
});

describe('on a public address without TLS,', () => {
  let insecure: TestGateway;
  beforeAll(async () => {
    insecure = await startTestGateway({ settings: { dashboard: { ...TEST_SETTINGS.dashboard, publicUrl: 'http://gateway.example' } } });
  });
  afterAll(() => insecure.close());

  it.each(ROUTES.filter(({ wayIn }) => wayIn === true).map((route) => [`${route.method} ${route.path}`, route] as const))('%s is refused as insecure', async (_name, route) => {
    const page = new TestBrowser(insecure.gateway, 'http://gateway.example');
    const reply = await page.send({ method: route.method.toUpperCase(), path: `/dashboard/api${route.path}`, ...(route.method === 'get' ? {} : { body: '{}' }) });
    expect([reply.status, reply.body.error?.code]).toEqual([403, 'insecure_address']);
  });
});
