import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InstallationSecret } from '@tollgate/adapters-node';
import { contract, type RouteDefinition } from '@tollgate/api-contract';
import { later, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { totpCodeAt, wrongTotpCode } from '@tollgate/testkit';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser } from '../../src/test-support/test-browser.js';

const STEP = 30_000;
const PASSWORD = 'correct horse';
const SECRET = new InstallationSecret(new Uint8Array(32).fill(7), null);

let running: TestGateway;
let browser: TestBrowser;
let email: string;
let secret: string;
let people = 0;

async function signIn(on = browser): Promise<PageReply> {
  const reply = await on.call(contract.signIn, { body: { email, password: PASSWORD } });
  expect(reply.status).toBe(200);
  return reply;
}

function codeNow(): string {
  return totpCodeAt(secret, running.clock.now());
}

function verify(code: string): Promise<PageReply> {
  return browser.call(contract.verifyTotp, { body: { code } });
}

async function enable(): Promise<PageReply> {
  const reply = await browser.call(contract.enableTotp, { body: {} });
  ({ secret = '' } = reply.body as { readonly secret?: string });
  return reply;
}

/** Signs in and enrols an app, then advances the clock to the app's next code. */
async function enrol(): Promise<readonly string[]> {
  await signIn();
  await enable();
  const { body } = await verify(codeNow());
  running.clock.advance(STEP);
  return body['recovery_codes'] as readonly string[];
}

/** Status of a reply, with the error code or the session's reach. */
function told({ status, body }: PageReply): string {
  const { reach } = body as { readonly reach?: string };
  return `${status} ${body.error?.code ?? reach ?? ''}`;
}

beforeAll(async () => {
  running = await startTestGateway({ services: { secret: SECRET } });
});
afterAll(() => running.close());
beforeEach(async () => {
  people += 1;
  email = `person${people}@example.test`;
  await addPerson(running.gateway, email);
  browser = new TestBrowser(running.gateway);
});

describe('an authenticator app', () => {
  it('is enrolled with a code, and the next sign-in requires another code before anything else', async () => {
    await signIn();
    const begun = await enable();
    expect(begun.headers['cache-control']).toBe('no-store');
    expect(begun.body['uri']).toContain(`otpauth://totp/Tollgate%20(localhost):${encodeURIComponent(email)}?`);
    expect(told(await verify(wrongTotpCode(secret, running.clock.now())))).toBe('401 sign_in_failed');
    const cookies = [...browser.cookies];
    const enrolled = await verify(codeNow());
    expect([told(enrolled), (enrolled.body['recovery_codes'] as readonly string[]).length]).toEqual(['200 full', 10]);
    expect([...browser.cookies]).not.toEqual(cookies);
    const signedIn = await signIn();
    expect(signedIn.body).toMatchObject({ reach: 'prove-factor', factors: ['totp'] });
    const guarded: readonly RouteDefinition[] = Object.values(contract).filter(({ access }) => access === 'owner');
    for (const route of guarded) {
      const reply = await browser.send({ method: route.method.toUpperCase(), path: `/dashboard/api${route.path.replaceAll(/\{\w+\}/g, 'key_1')}` });
      expect([route.path, told(reply)]).toEqual([route.path, '403 second_factor_required']);
    }
    expect(told(await browser.call(contract.enableTotp, { body: {} }))).toBe('403 second_factor_required');
    expect(told(await verify(codeNow()))).toBe('401 sign_in_failed');
    running.clock.advance(STEP);
    const planted = [...browser.cookies];
    const proven = await verify(codeNow());
    expect([told(proven), proven.body['recovery_codes']]).toEqual(['200 full', null]);
    expect((await browser.call(contract.factors)).body).toMatchObject({ totp_since: expect.any(String), recovery_codes_left: 10 });
    browser.cookies.clear();
    for (const [name, value] of planted) browser.cookies.set(name, value);
    expect(told(await browser.call(contract.me))).toBe('401 not_signed_in');
  });

  it('is removed only with a recent proof; enrolment and removal are reported by mail', async () => {
    const before = (await running.parts.store.mail.status(running.clock.now())).waiting;
    await enrol();
    running.clock.advance(10 * MILLISECONDS_PER_MINUTE);
    expect(told(await browser.call(contract.disableTotp, { body: {} }))).toBe('403 fresh_proof_required');
    expect(told(await browser.call(contract.provePassword, { body: { password: 'wrong horse' } }))).toBe('401 sign_in_failed');
    expect(told(await browser.call(contract.provePassword, { body: { password: PASSWORD } }))).toBe('200 full');
    expect((await browser.call(contract.disableTotp, { body: {} })).status).toBe(204);
    expect(told(await browser.call(contract.disableTotp, { body: {} }))).toBe('409 conflict');
    expect(told(await browser.call(contract.renewRecoveryCodes, { body: {} }))).toBe('409 conflict');
    expect(told(await verify(codeNow()))).toBe('409 conflict');
    expect(told(await signIn())).toBe('200 full');
    expect((await running.parts.store.mail.status(running.clock.now())).waiting).toBe(before + 2);
  });

  it('is enrolled only once', async () => {
    await enrol();
    expect(told(await browser.call(contract.enableTotp, { body: {} }))).toBe('409 conflict');
  });
});

it('a recovery code proves a factor once, and new codes replace the old ones', async () => {
  const [first = '', second = ''] = await enrol();
  const renewed = await browser.call(contract.renewRecoveryCodes, { body: {} });
  const [fresh = ''] = renewed.body['recovery_codes'] as readonly string[];
  const recover = (code: string) => browser.call(contract.useRecoveryCode, { body: { code } });
  await signIn();
  expect([told(await recover(first)), told(await recover(second)), told(await recover(fresh))]).toEqual(['401 sign_in_failed', '401 sign_in_failed', '200 full']);
  await signIn();
  expect(told(await recover(fresh))).toBe('401 sign_in_failed');
});

it('five wrong codes end a session that has not proved its factor; ten lock all proofs for 15 minutes', async () => {
  await enrol();
  await browser.call(contract.signOut);
  const wrong = () => verify(wrongTotpCode(secret, running.clock.now()));
  await signIn();
  for (let attempt = 1; attempt < 5; attempt += 1) expect(told(await wrong())).toBe('401 sign_in_failed');
  expect(told(await wrong())).toBe('401 not_signed_in');
  expect([...browser.cookies.keys()]).not.toContain('tollgate_session');
  await signIn();
  for (let attempt = 1; attempt < 5; attempt += 1) await wrong();
  const stranger = new TestBrowser(running.gateway);
  await signIn(stranger);
  expect(told(await stranger.call(contract.useRecoveryCode, { body: { code: 'none' } }))).toBe('401 sign_in_failed');
  const known = new TestBrowser(running.gateway);
  known.cookies.set('tollgate_device', browser.cookies.get('tollgate_device') ?? '');
  await signIn(known);
  expect(told(await known.call(contract.useRecoveryCode, { body: { code: 'none' } }))).toBe('429 too_many_attempts');
  const locked = await verify(codeNow());
  expect([told(locked), locked.headers['retry-after']]).toEqual(['429 too_many_attempts', '900']);
  running.clock.advance(15 * MILLISECONDS_PER_MINUTE);
  expect(told(await verify(totpCodeAt(secret, later(running.clock.now(), -STEP))))).toBe('200 full');
  const reasons = running.parts.logged.map(({ reason }) => reason);
  expect(reasons).toEqual(expect.arrayContaining(['the session was ended after too many wrong codes', 'proofs are locked after wrong passwords or codes in a row']));
  expect(JSON.stringify(running.parts.logged)).not.toContain(email);
});

describe('a gateway', () => {
  it('that requires second factors lets a person without one do nothing but enrol one', async () => {
    const { dashboard } = TEST_SETTINGS;
    const strict = await startTestGateway({ settings: { dashboard: { ...dashboard, secondFactor: 'everybody' } }, services: ({ clock }) => ({ secret: SECRET, clock }) });
    try {
      await addPerson(strict.gateway, email);
      browser = new TestBrowser(strict.gateway);
      expect(told(await signIn())).toBe('200 enrol-factor');
      expect(told(await browser.call(contract.factors))).toBe('403 second_factor_required');
      await enable();
      expect(told(await verify(totpCodeAt(secret, strict.clock.now())))).toBe('200 full');
      expect((await browser.call(contract.disableTotp, { body: {} })).status).toBe(204);
      expect((await browser.call(contract.currentSession)).body).toMatchObject({ reach: 'enrol-factor' });
    } finally {
      await strict.close();
    }
  });

  it('without a secret replies that second factors are unavailable', async () => {
    const bare = await startTestGateway({});
    try {
      await addPerson(bare.gateway, email);
      browser = new TestBrowser(bare.gateway);
      await signIn();
      const refused = await browser.call(contract.enableTotp, { body: {} });
      expect([told(refused), Number(refused.headers['retry-after']) >= 1]).toEqual(['503 service_unavailable', true]);
    } finally {
      await bare.close();
    }
  });
});
