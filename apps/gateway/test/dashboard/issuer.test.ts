import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { StoreUnavailable } from '@tollgate/core';
import { InstallationSecret } from '@tollgate/adapters-node';
import { IssuerServer, visitIssuer } from '@tollgate/testkit/issuer-server';
import type { DashboardSettings } from '@tollgate/adapters-config';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { type PageReply, TestBrowser } from '../../src/test-support/test-browser.js';

const ORIGIN = 'http://localhost:8080';
const CALLBACK = `${ORIGIN}/dashboard/api/auth/callback/oidc`;
const CLIENT = { clientId: 'tollgate', clientSecret: 'a secret of the client' };

let server: IssuerServer;
let running: TestGateway;
let browser: TestBrowser;

const SECRET = new InstallationSecret(new Uint8Array(32), null);

function settingsFor(issuer: string): DashboardSettings {
  return { ...TEST_SETTINGS.dashboard, publicUrl: ORIGIN, issuer: { ...CLIENT, issuer, name: 'Example', trustEmail: false } };
}

function start(issuer: string, differences: Partial<DashboardSettings> = {}): Promise<TestGateway> {
  return startTestGateway({ services: { secret: SECRET }, settings: { dashboard: { ...settingsFor(issuer), ...differences } } });
}

function locationOf({ status, headers }: PageReply): string {
  expect([status, headers['cache-control']]).toEqual([303, 'no-store']);
  return headers.location ?? '';
}

async function callback(): Promise<string> {
  const { pathname, search } = await visitIssuer(locationOf(await browser.call(contract.issuerStart)), CALLBACK);
  return pathname + search;
}

function open(path: string): Promise<PageReply> {
  return browser.send({ method: 'GET', path });
}

beforeAll(async () => {
  server = await IssuerServer.start({ ...CLIENT, redirectUri: CALLBACK });
  running = await start(server.url);
});
afterAll(async () => {
  await running.close();
  await server.close();
});
beforeEach(() => {
  browser = new TestBrowser(running.gateway, ORIGIN);
  server.account = { sub: 'subject-1', email: 'alice@example.test', email_verified: true, name: 'Alice of the Issuer' };
});

describe('sign-in by an issuer over HTTP', () => {
  it('starts a session and leads to the dashboard, but only once per callback', async () => {
    expect((await browser.call(contract.signInMethods)).body).toMatchObject({ issuer: { name: 'Example' } });
    const path = await callback();
    const bound = new Map(browser.cookies);
    expect([...bound.keys()]).toEqual(['tollgate_issuer']);
    expect(locationOf(await open(path))).toBe('/dashboard');
    expect([...browser.cookies.keys()].toSorted()).toEqual(['tollgate_device', 'tollgate_session']);
    expect((await browser.call(contract.me)).body).toMatchObject({ person: { email: 'alice@example.test', name: 'Alice of the Issuer' } });
    browser = new TestBrowser(running.gateway, ORIGIN);
    for (const [name, value] of bound) browser.cookies.set(name, value);
    expect(locationOf(await open(path))).toBe('/dashboard/sign-in?refused=sign_in_failed');
    expect(browser.cookies.size).toBe(0);
  });

  it('refuses a callback in another browser, with another state or without parameters', async () => {
    const path = await callback();
    browser = new TestBrowser(running.gateway, ORIGIN);
    expect(locationOf(await open(path))).toBe('/dashboard/sign-in?refused=sign_in_failed');
    const other = await callback();
    expect(locationOf(await open(other.replace(/state=[^&]+/, 'state=x')))).toBe('/dashboard/sign-in?refused=sign_in_failed');
    expect(locationOf(await open('/dashboard/api/auth/callback/oidc'))).toBe('/dashboard/sign-in?refused=sign_in_failed');
    expect((await browser.call(contract.me)).status).toBe(401);
  });

  it('states the reason of a refusal: an unverified address, or an address of another subject', async () => {
    server.account = { sub: 'subject-2', email: 'bob@example.test', email_verified: false };
    expect(locationOf(await open(await callback()))).toBe('/dashboard/sign-in?refused=email_not_verified');
    server.account = { sub: 'subject-2', email: 'alice@example.test', email_verified: true };
    expect(locationOf(await open(await callback()))).toBe('/dashboard/sign-in?refused=account_not_linked');
  });

  it('refuses people without an account while sign-up is closed', async () => {
    const closed = await start(server.url, { signUp: 'closed' });
    browser = new TestBrowser(closed.gateway, ORIGIN);
    expect(locationOf(await open(await callback()))).toBe('/dashboard/sign-in?refused=sign_up_closed');
    await closed.close();
  });

  const refusals = (of: TestGateway) => of.parts.logged.filter(({ reason }) => reason !== undefined).map(({ level, reason, msg }) => ({ level, reason, msg }));

  it('logs the reason of every refused sign-in, without an address', async () => {
    const own = await start(server.url);
    browser = new TestBrowser(own.gateway, ORIGIN);
    const { email_verified: _, ...unverified } = server.account;
    server.account = unverified;
    await open(await callback());
    await open('/dashboard/api/auth/callback/oidc');
    server.cancels = true;
    await open(await callback());
    server.cancels = false;
    await browser.call(contract.signIn, { body: { email: 'alice@example.test', password: 'not the password' } });
    expect(refusals(own).map(({ reason }) => reason)).toEqual([
      'email_verified is missing; OIDC_TRUST_EMAIL=on accepts that',
      'the state of the callback matches no sign-in that this browser started in the last ten minutes',
      'authorization response from the server is an error: access_denied',
      'the proof is wrong or was used before, the address is unknown, or the account may not sign in',
    ]);
    expect(JSON.stringify(own.parts.logged)).not.toContain('alice@');
    await own.close();
  });

  it('redirects to the sign-in page if the issuer is unreachable, or calls itself by another name, and logs why', async () => {
    const gone = await IssuerServer.start({ ...CLIENT, redirectUri: CALLBACK });
    const dead = await start(gone.url);
    browser = new TestBrowser(dead.gateway, ORIGIN);
    const path = await callback();
    await gone.close();
    expect(locationOf(await open(path))).toBe('/dashboard/sign-in?refused=issuer_unavailable');
    expect(refusals(dead)).toMatchObject([{ level: 50, msg: 'the OpenID Connect issuer cannot be used' }]);
    await dead.close();
    const wrong = server.url.replace('127.0.0.1', 'localhost');
    const misnamed = await start(wrong);
    browser = new TestBrowser(misnamed.gateway, ORIGIN);
    expect(locationOf(await browser.call(contract.issuerStart))).toBe('/dashboard/sign-in?refused=issuer_unavailable');
    expect(refusals(misnamed)).toEqual([{ level: 50, reason: `OIDC_ISSUER is ${wrong}, but the issuer there calls itself ${server.url}`, msg: 'the OpenID Connect issuer cannot be used' }]);
    expect(JSON.stringify(misnamed.parts.logged)).not.toContain('because of the database');
    await misnamed.close();
  });

  it('redirects browsers to the sign-in page after any refusal, and logs the failure', async () => {
    const fail = () => Promise.reject(new StoreUnavailable(new Error('away')));
    const away = await startTestGateway({
      services: ({ store, platform }) => ({ secret: SECRET, store: { ...store, platform, issuers: { admit: fail } } }),
      settings: { dashboard: settingsFor(server.url), unbilledPerMinuteAddress: 4 },
    });
    browser = new TestBrowser(away.gateway, ORIGIN);
    const shown = (path: string) => browser.send({ method: 'GET', path, headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(locationOf(await shown(await callback()))).toBe('/dashboard/sign-in?refused=service_unavailable');
    expect((await open(await callback())).body.error?.code).toBe('service_unavailable');
    expect(away.parts.logged.map(({ msg }) => String(msg)).filter((msg) => msg.includes('because of the database'))).not.toEqual([]);
    expect(locationOf(await shown('/dashboard/api/auth/oidc/start'))).toBe('/dashboard/sign-in?refused=rate_limit_exceeded');
    await away.close();
  });

  it('answers 404 if no issuer is configured', async () => {
    const none = await start(server.url, { issuer: null });
    browser = new TestBrowser(none.gateway, ORIGIN);
    expect([(await browser.call(contract.issuerStart)).status, (await open('/dashboard/api/auth/callback/oidc')).status]).toEqual([404, 404]);
    await none.close();
  });
});
