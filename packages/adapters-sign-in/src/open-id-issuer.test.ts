import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Instant, instant, later } from '@tollgate/core';
import { IssuerSignIn, type IssuerSignInOutcome, SECURE_ISSUER_COOKIE } from '@tollgate/identity';
import { aBrowser, IssuerDriver } from '@tollgate/testkit';
import { IssuerServer, visitIssuer } from '@tollgate/testkit/issuer-server';
import { OpenIdIssuer } from './open-id-issuer.js';
import { peopleInMemory } from './test-support/people.js';

const CLIENT = { clientId: 'tollgate', clientSecret: 'a secret of the client', redirectUri: 'http://localhost:8080/dashboard/api/auth/callback/oidc' };
const MINUTE = 60_000;
/** The issuer uses the system clock. */
const NOW = instant(Date.now());

interface Begun {
  readonly location: string;
  readonly cookie: string;
}

let server: IssuerServer;
let driver: IssuerDriver;
let signIn: IssuerSignIn;

function signInAt(issuer: string, { clientSecret = CLIENT.clientSecret, trustEmail = false } = {}): IssuerSignIn {
  const { challenges, tokens } = driver.subject;
  return new IssuerSignIn({
    issuer: new OpenIdIssuer({ ...CLIENT, issuer, clientSecret, trustEmail }), admissions: driver.admissions, challenges, tokens, cookie: SECURE_ISSUER_COOKIE,
  });
}

beforeAll(async () => {
  server = await IssuerServer.start(CLIENT);
});
afterAll(() => server.close());

beforeEach(async () => {
  driver = new IssuerDriver(await peopleInMemory());
  signIn = signInAt(server.url);
});

afterEach(() => {
  server.account = { sub: 'subject-1', email: 'alice@example.test', email_verified: true, name: 'Alice of the Issuer' };
  server.cancels = false;
  server.tellsVerifiedApart = false;
  server.emailApart = null;
  server.hidesUserInfo = false;
});

async function begin(by = signIn): Promise<Begun> {
  const { location, setCookie } = await by.begin(NOW);
  return { location, cookie: setCookie.slice(0, setCookie.indexOf(';')) };
}

/** Query of the issuer's redirect. */
async function queryOf({ location }: Begun): Promise<string> {
  return (await visitIssuer(location, CLIENT.redirectUri)).search.slice(1);
}

function finish({ cookie }: Pick<Begun, 'cookie'>, query: string, at: Instant = NOW): Promise<IssuerSignInOutcome> {
  return signIn.finish(aBrowser(cookie), query, at);
}

async function code(outcome: Promise<unknown>): Promise<unknown> {
  return outcome.then(() => 'answered', (thrown: unknown) => (thrown as { readonly code?: string }).code);
}

describe('sign-in at an OpenID Connect issuer', () => {
  it('sends a state, a nonce and a PKCE challenge, none of which is in the cookie, and signs the person in', async () => {
    const begun = await begin();
    const asked = Object.fromEntries(new URL(begun.location).searchParams);
    expect(asked).toMatchObject({ response_type: 'code', client_id: 'tollgate', redirect_uri: CLIENT.redirectUri, scope: 'openid email profile', code_challenge_method: 'S256' });
    const { state = '', nonce = '', code_challenge: challenge = '' } = asked;
    expect([state, nonce, challenge].filter((text) => text.length === 43 && !begun.cookie.includes(text))).toHaveLength(3);
    const outcome = await finish(begun, await queryOf(begun));
    expect(outcome).toMatchObject({ signedIn: { session: { signedInBy: 'issuer', assurance: 'one-factor' }, person: { email: 'alice@example.test', name: 'Alice of the Issuer' } } });
    const again = await begin();
    server.account = { sub: 'subject-1', email: 'moved@example.test', email_verified: false };
    expect(await finish(again, await queryOf(again))).toMatchObject({ signedIn: { person: { email: 'alice@example.test' } } });
  });

  it('reads the address from the user info if the ID token has none', async () => {
    const apart = await IssuerServer.start({ ...CLIENT, claimsIn: 'userinfo' });
    signIn = signInAt(apart.url);
    const begun = await begin();
    expect(await finish(begun, await queryOf(begun))).toMatchObject({ signedIn: { person: { email: 'alice@example.test' } } });
    await apart.close();
  });

  it.each<readonly [claim: boolean | undefined, byTrust: Readonly<Record<'on' | 'off', string>>]>([
    [true, { on: 'signed-in', off: 'signed-in' }], [false, { on: 'email-not-verified', off: 'email-not-verified' }], [undefined, { on: 'signed-in', off: 'email-not-verified' }],
  ])('reads email_verified %j from the user info if the ID token has none', async (claim, byTrust) => {
    server.tellsVerifiedApart = true;
    for (const [number, trust] of (['on', 'off'] as const).entries()) {
      server.account = { sub: `subject-${number}`, email: `alice-${number}@example.test`, ...(claim === undefined ? {} : { email_verified: claim }) };
      signIn = signInAt(server.url, { trustEmail: trust === 'on' });
      const begun = await begin();
      expect([trust, (await finish(begun, await queryOf(begun))).outcome]).toEqual([trust, byTrust[trust]]);
    }
  });

  it('ignores user info about another address', async () => {
    server.tellsVerifiedApart = true;
    server.emailApart = 'mallory@example.test';
    const begun = await begin();
    expect((await finish(begun, await queryOf(begun))).outcome).toBe('email-not-verified');
  });

  it('treats a person as unverified if the user info calls another address unverified, even if addresses are trusted', async () => {
    server.tellsVerifiedApart = true;
    server.emailApart = 'mallory@example.test';
    signIn = signInAt(server.url, { trustEmail: true });
    server.account = { ...server.account, email_verified: false };
    const begun = await begin();
    expect(await finish(begun, await queryOf(begun))).toEqual({ outcome: 'email-not-verified', reason: 'email_verified is false' });
  });

  it.each([true, false])('treats the address as unverified if the user info cannot be read (addresses are trusted: %j)', async (trustEmail) => {
    server.tellsVerifiedApart = true;
    server.hidesUserInfo = true;
    signIn = signInAt(server.url, { trustEmail });
    const begun = await begin();
    const reason = 'email_verified is missing from the ID token, and the user info could not be read';
    expect(await finish(begun, await queryOf(begun))).toEqual({ outcome: 'email-not-verified', reason });
    expect(await driver.people.directory.findByEmail('alice@example.test')).toBeNull();
  });

  it('accepts a callback only once', async () => {
    const begun = await begin();
    const query = await queryOf(begun);
    expect((await finish(begun, query)).outcome).toBe('signed-in');
    expect(await finish(begun, query)).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
  });

  it('accepts a callback only in time, and in the browser that began the sign-in', async () => {
    const [begun, other] = [await begin(), await begin()];
    const query = await queryOf(begun);
    expect(await finish(other, query)).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
    expect(await signIn.finish(aBrowser(null), query, NOW)).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
    expect(await finish(begun, query, later(NOW, 10 * MINUTE))).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
    expect((await finish(begun, query)).outcome).toBe('signed-in');
  });

  it.each<readonly [what: string, change: (parameters: URLSearchParams) => void]>([
    ['a state that was changed', (parameters) => parameters.set('state', 'A'.repeat(43))], ['no state', (parameters) => parameters.delete('state')],
    ['two states', (parameters) => parameters.append('state', 'x')], ['a code that was changed', (parameters) => parameters.set('code', 'x')],
    ['no code', (parameters) => parameters.delete('code')], ['another issuer', (parameters) => parameters.set('iss', 'https://issuer.example')],
    ['a query of over 10,000 characters', (parameters) => parameters.set('x', 'x'.repeat(10_000))],
  ])('refuses %s', async (_what, change) => {
    const begun = await begin();
    const parameters = new URLSearchParams(await queryOf(begun));
    change(parameters);
    expect(await finish(begun, parameters.toString())).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
  });

  it('refuses an ID token with the nonce of another sign-in', async () => {
    const begun = await begin();
    const url = new URL(begun.location);
    url.searchParams.set('nonce', 'another');
    expect(await finish(begun, await queryOf({ ...begun, location: url.href }))).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
  });

  it('refuses a code that was requested for another PKCE verifier', async () => {
    const [begun, other] = [await begin(), await begin()];
    const url = new URL(begun.location);
    url.searchParams.set('code_challenge', new URL(other.location).searchParams.get('code_challenge') ?? '');
    expect(await finish(begun, await queryOf({ ...begun, location: url.href }))).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
  });

  it('refuses a cancelled sign-in, and one with an unverified address', async () => {
    server.cancels = true;
    const cancelled = await begin();
    expect(await finish(cancelled, await queryOf(cancelled))).toMatchObject({ outcome: 'refused', reason: expect.any(String) });
    server.cancels = false;
    server.account = { sub: 'subject-2', email: 'alice@example.test', email_verified: false };
    const begun = await begin();
    expect(await finish(begun, await queryOf(begun))).toEqual({ outcome: 'email-not-verified', reason: 'email_verified is false' });
    expect(await driver.people.directory.findByEmail('alice@example.test')).toBeNull();
  });

  it.each<readonly [claim: boolean | string | undefined, trusted: boolean]>([
    [undefined, true], ['true', true], ['1', true], [true, true], [false, false], ['false', false], ['0', false], ['TRUE', false], ['', false],
  ])('reads email_verified %j as %j if addresses are trusted, and accepts only true otherwise', async (claim, trusted) => {
    server.account = { sub: 'subject-2', email: 'alice@example.test', ...(claim === undefined ? {} : { email_verified: claim }) };
    const signInOnce = async (trustEmail: boolean) => {
      signIn = signInAt(server.url, { trustEmail });
      const begun = await begin();
      return (await finish(begun, await queryOf(begun))).outcome;
    };
    // The sign-in without trust comes first: one with trust may link the subject, which then needs no address.
    expect(await signInOnce(false)).toBe(claim === true ? 'signed-in' : 'email-not-verified');
    expect(await signInOnce(true)).toBe(trusted ? 'signed-in' : 'email-not-verified');
  });

  it('names both issuers in the error if the discovery document states another one than OIDC_ISSUER', async () => {
    const failure = await signInAt(server.url.replace('127.0.0.1', 'localhost')).begin(NOW).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'service_unavailable', reason: `OIDC_ISSUER is ${server.url.replace('127.0.0.1', 'localhost')}, but the issuer there calls itself ${server.url}` });
  });

  it('reports service_unavailable for an unreachable issuer and for a rejected client secret', async () => {
    const dead = await IssuerServer.start(CLIENT);
    signIn = signInAt(dead.url);
    const begun = await begin();
    const query = await queryOf(begun);
    await dead.close();
    expect(await code(signInAt(dead.url).begin(NOW))).toBe('service_unavailable');
    expect(await code(finish(begun, query))).toBe('service_unavailable');
    signIn = signInAt(server.url, { clientSecret: 'another secret' });
    const refused = await begin();
    expect(await code(finish(refused, await queryOf(refused)))).toBe('service_unavailable');
  });
});
