import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstallationSecret } from '@tollgate/adapters-node';
import { contract, type RouteDefinition } from '@tollgate/api-contract';
import { totpCodeAt } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const EMAIL = 'ada@example.test';
const PASSWORD = 'correct horse';
const NAME = 'tollgate_session';

let running: TestGateway;
beforeAll(async () => {
  running = await startTestGateway({ services: { secret: new InstallationSecret(new Uint8Array(32).fill(7), null) } });
  await addPerson(running.gateway, EMAIL);
});
afterAll(() => running.close());

async function signedIn(): Promise<TestBrowser> {
  const browser = new TestBrowser(running.gateway);
  expect((await browser.call(contract.signIn, { body: { email: EMAIL, password: PASSWORD } })).status).toBe(200);
  return browser;
}

/** Sends the head of a request over a raw socket, without the changes that a client would make. */
function raw(head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1', () => socket.write(head));
    let text = '';
    socket.on('data', (chunk) => { text += chunk.toString(); }).on('error', reject).on('end', () => resolve(text));
  });
}

describe('with several session cookies', () => {
  const planted = 'x'.repeat(43);

  it.each(['first', 'last'])('the valid one is used, even if it is the %s', async (place) => {
    const browser = await signedIn();
    const own = `${NAME}=${browser.cookies.get(NAME) ?? ''}`;
    const cookie = (place === 'first' ? [own, `${NAME}=${planted}`, `${NAME}=short`] : [`${NAME}=short`, `${NAME}=${planted}`, own]).join('; ');
    expect((await browser.call(contract.me, { headers: { cookie } })).status).toBe(200);
    const proven = await browser.call(contract.provePassword, { body: { password: PASSWORD }, headers: { cookie } });
    expect([proven.status, (await browser.call(contract.me)).status]).toEqual([200, 200]);
    expect((await browser.call(contract.signIn, { body: { email: EMAIL, password: PASSWORD }, headers: { cookie: `${NAME}=${planted}; ${NAME}=${browser.cookies.get(NAME) ?? ''}` } })).status).toBe(200);
  });

  it('at most four are examined', async () => {
    const browser = await signedIn();
    const many = Array.from({ length: 9 }, (_, index) => `${NAME}=${index}${planted.slice(1)}`);
    expect((await browser.call(contract.me, { headers: { cookie: [...many, `${NAME}=${browser.cookies.get(NAME) ?? ''}`].join('; ') } })).status).toBe(401);
  });
});

it.each(['http://evil.example/dashboard/keys?a=b', 'HTTP://evil.example:81/dashboard/keys?a=b', 'http://user@evil.example/dashboard/keys?a=b'])('the host of the absolute request target %s is not used in the redirect', async (target) => {
  const port = new URL(running.url).port;
  const reply = await raw(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  expect(reply).not.toContain('evil');
  expect(/^location: (.*)\r$/im.exec(reply)?.[1]).toBe(`http://localhost:${port}/dashboard/keys?a=b`);
});

it('before the second factor, no reply reveals the person, the role or the account', async () => {
  const told: unknown[] = [];
  const routes: readonly RouteDefinition[] = Object.values(contract).filter(({ access, method }: RouteDefinition) => access !== 'anyone' && method === 'get');
  for (const role of ['owner', 'operator'] as const) {
    const email = `${role}@example.test`;
    await addPerson(running.gateway, email, role);
    const browser = new TestBrowser(running.gateway);
    await browser.call(contract.signIn, { body: { email, password: PASSWORD } });
    const secret = textOf(await browser.call(contract.enableTotp, { body: {} }), 'secret');
    await browser.call(contract.verifyTotp, { body: { code: totpCodeAt(secret, running.clock.now()) } });
    await browser.call(contract.signIn, { body: { email, password: PASSWORD } });
    const replies = await Promise.all(routes.map((route) => browser.send({ method: 'GET', path: `/dashboard/api${route.path.replaceAll(/\{\w+\}/g, 'id_1')}` })));
    told.push(...replies.map(({ body, text }, index) => [routes[index]?.access === 'signed-in' ? 'second_factor_required' : body.error?.code, /@example|Ann Example|acct_|person_|"role"/.test(text)]));
  }
  expect(new Set(told.map((each) => JSON.stringify(each)))).toEqual(new Set(['["second_factor_required",false]']));
});

it.each([['a..b@example.test'], ['a@-x.test'], ['a@x..test'], [`a@${'b'.repeat(64)}.test`], ['a@b@c.test']])('the address %s is refused by every form, and the field is named', async (email) => {
  const operator = new TestBrowser(running.gateway);
  await addPerson(running.gateway, `op-${email.length}@example.org`, 'operator').catch(() => null);
  await operator.call(contract.signIn, { body: { email: `op-${email.length}@example.org`, password: PASSWORD } });
  const replies = [
    await new TestBrowser(running.gateway).call(contract.signUp, { body: { email, name: 'Ann', password: 'long and unusual 1' } }),
    await operator.call(contract.invitePerson, { body: { email, name: 'Ann' } }),
    await operator.call(contract.createAccount, { body: { email, name: 'Ann' } }),
    await operator.call(contract.changeEmail, { body: { email } }),
  ];
  expect(replies.map(({ status, body }) => [status, body.error?.param])).toEqual(replies.map(() => [400, 'email']));
});
