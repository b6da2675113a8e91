import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import type { JsonObject } from '@tollgate/core';
import { FRESH_PROOF_MILLISECONDS, PASSKEY_CHALLENGE_MILLISECONDS } from '@tollgate/identity';
import { InstallationSecret } from '@tollgate/adapters-node';
import { SoftwareAuthenticator } from '@tollgate/testkit';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser } from '../../src/test-support/test-browser.js';

const PASSWORD = 'correct horse';

let running: TestGateway;
let browser: TestBrowser;
let authenticator: SoftwareAuthenticator;
let email: string;
let people = 0;

function optionsIn({ body }: PageReply): JsonObject {
  return body['public_key'] as JsonObject;
}

async function signIn(): Promise<void> {
  expect((await browser.call(contract.signIn, { body: { email, password: PASSWORD } })).status).toBe(200);
}

async function add(name = 'Laptop'): Promise<PageReply> {
  const options = optionsIn(await browser.call(contract.passkeyOptions, { body: {} }));
  return browser.call(contract.addPasskey, { body: { name, answer: authenticator.create(options) } });
}

async function signInByPasskey(): Promise<PageReply> {
  const options = optionsIn(await browser.call(contract.passkeySignInOptions));
  return browser.call(contract.signInByPasskey, { body: { answer: authenticator.get(options) } });
}

function code({ body }: PageReply): string | undefined {
  return body.error?.code;
}

beforeAll(async () => {
  running = await startTestGateway({ services: { secret: new InstallationSecret(new Uint8Array(32), null) } });
});
afterAll(() => running.close());
beforeEach(async () => {
  people += 1;
  email = `person${people}@example.test`;
  await addPerson(running.gateway, email);
  browser = new TestBrowser(running.gateway);
  authenticator = new SoftwareAuthenticator({ origin: `http://localhost:${new URL(running.url).port}`, id: 'localhost' });
});

describe('passkeys over HTTP', () => {
  it('are added, listed, renamed and removed, and suffice to sign in without an address', async () => {
    expect((await browser.call(contract.signInMethods)).body).toMatchObject({ passkeys: 'available', issuer: null, sign_up: 'open', mail: false });
    await signIn();
    const before = [...browser.cookies.values()];
    const added = await add();
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ passkey: { name: 'Laptop', last_used_at: null }, reach: 'full', factors: ['passkey'] });
    expect([...browser.cookies.values()]).not.toEqual(before);
    await browser.call(contract.signOut);
    const { id } = added.body['passkey'] as { readonly id: string };
    expect((await signInByPasskey()).body).toMatchObject({ object: 'sign_in', reach: 'full', factors: ['passkey'] });
    expect((await browser.call(contract.me)).body).toMatchObject({ person: { email } });
    expect((await browser.call(contract.renamePasskey, { params: { id }, body: { name: 'Key' } })).status).toBe(204);
    expect((await browser.call(contract.listPasskeys)).body).toMatchObject({ data: [{ id, name: 'Key' }] });
    running.clock.advance(FRESH_PROOF_MILLISECONDS);
    expect(code(await browser.call(contract.removePasskey, { params: { id } }))).toBe('fresh_proof_required');
    await signInByPasskey();
    expect((await browser.call(contract.removePasskey, { params: { id } })).status).toBe(204);
    expect((await browser.call(contract.listPasskeys)).body).toMatchObject({ data: [] });
    expect(code(await signInByPasskey())).toBe('sign_in_failed');
  });

  it('are required after a sign-in with the password, and then give the session full access', async () => {
    await signIn();
    await add();
    await signIn();
    expect((await browser.call(contract.currentSession)).body).toMatchObject({ reach: 'prove-factor' });
    expect(code(await browser.call(contract.passkeyOptions, { body: {} }))).toBe('second_factor_required');
    expect(code(await browser.call(contract.listPasskeys))).toBe('second_factor_required');
    await signInByPasskey();
    expect((await browser.call(contract.me)).body).toMatchObject({ reach: 'full' });
  });

  it('are refused if the answer was already used or the challenge has expired', async () => {
    await signIn();
    await add();
    const options = optionsIn(await browser.call(contract.passkeySignInOptions));
    const [answer, late] = [authenticator.get(options), authenticator.get(optionsIn(await browser.call(contract.passkeySignInOptions)))];
    expect((await browser.call(contract.signInByPasskey, { body: { answer } })).status).toBe(200);
    expect(code(await browser.call(contract.signInByPasskey, { body: { answer } }))).toBe('sign_in_failed');
    running.clock.advance(PASSKEY_CHALLENGE_MILLISECONDS);
    expect(code(await browser.call(contract.signInByPasskey, { body: { answer: late } }))).toBe('sign_in_failed');
  });

  it('are added only after a recent proof, and only in the session that requested the challenge', async () => {
    await signIn();
    const answer = authenticator.create(optionsIn(await browser.call(contract.passkeyOptions, { body: {} })));
    await signIn();
    const refused = await browser.call(contract.addPasskey, { body: { name: 'Key', answer } });
    expect([refused.status, code(refused), refused.body.error?.param]).toEqual([400, 'invalid_request', 'answer']);
    running.clock.advance(FRESH_PROOF_MILLISECONDS);
    expect(code(await browser.call(contract.passkeyOptions, { body: {} }))).toBe('fresh_proof_required');
  });

  it('of another person are treated as unknown', async () => {
    await signIn();
    const { id } = (await add()).body['passkey'] as { readonly id: string };
    const stranger = await addPerson(running.gateway, `stranger${people}@example.test`);
    await browser.call(contract.signIn, { body: { email: stranger.person.email, password: PASSWORD } });
    for (const each of [id, 'passkey_unknown']) {
      expect([(await browser.call(contract.removePasskey, { params: { id: each } })).status, (await browser.call(contract.renamePasskey, { params: { id: each }, body: { name: 'x' } })).status]).toEqual([404, 404]);
    }
  });
});

it('passkeys are unavailable at an IP address, and the reason is stated', async () => {
  const elsewhere = await startTestGateway({
    services: { secret: new InstallationSecret(new Uint8Array(32), null) },
    settings: { dashboard: { ...TEST_SETTINGS.dashboard, publicUrl: 'http://127.0.0.1:8080' } },
  });
  const page = new TestBrowser(elsewhere.gateway, 'http://127.0.0.1:8080');
  expect((await page.call(contract.signInMethods)).body).toMatchObject({ passkeys: 'ip-address' });
  const reply = await page.call(contract.passkeySignInOptions);
  expect([reply.status, code(reply), reply.body.error?.message]).toEqual([403, 'insecure_address', expect.stringContaining('localhost')]);
  await elsewhere.close();
});
