import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { InstallationSecret } from '@tollgate/adapters-node';
import { contract } from '@tollgate/api-contract';
import { MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import { FactorNotices, MAX_FAILURES, type Person } from '@tollgate/identity';
import { totpCodeAt } from '@tollgate/testkit';
import { eventually } from '../../src/test-support/test-client.js';
import { services } from '../../src/composition/services.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, TestMailbox, textOf } from '../../src/test-support/test-browser.js';

const PASSWORD = 'correct horse';
const STEP = 30_000;

let mailbox: TestMailbox;
let running: TestGateway;
let person: Person;
let people = 0;

function signIn(browser: TestBrowser, from = '203.0.113.7'): Promise<PageReply> {
  return browser.call(contract.signIn, { body: { email: person.email, password: PASSWORD }, headers: { 'x-forwarded-for': from } });
}

/** Records enough failed proofs to make sign-ins require a confirmation. */
async function failOften(): Promise<void> {
  const { container } = running.gateway;
  const notices = new FactorNotices({ ids: container.get(services.ids), site: () => ({ baseUrl: 'http://localhost', product: 'Tollgate' }), onStored: () => undefined });
  const factors = container.get(services.factorRecords);
  for (let number = 0; number < MAX_FAILURES; number += 1) {
    await factors.noteWrongPassword({ personId: person.id, browser: 'unknown', warnings: notices.warningsFor(person, running.clock.now()) });
  }
}

function told({ status, body }: PageReply): string {
  const { reach } = body as { readonly reach?: string };
  return `${status} ${body.error?.code ?? reach ?? ''}`;
}

async function nextToken(): Promise<string> {
  for (;;) {
    const { text, subject } = await mailbox.next(person.email);
    if (subject === 'Confirm your sign-in') return /#token=([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? '';
  }
}

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  running = await startTestGateway({ services: { mail: mailbox.route, secret: new InstallationSecret(new Uint8Array(32), null) }, settings: { trustedProxies: ['127.0.0.0/8'] } });
});
afterAll(async () => {
  await running.close();
  await mailbox.close();
});
beforeEach(async () => {
  running.clock.advance(MILLISECONDS_PER_HOUR);
  people += 1;
  ({ person } = await addPerson(running.gateway, `person-${people}@example.test`));
});

it('a sign-in from a new browser after many failures sends a link valid for 15 minutes, at most five times an hour', async () => {
  await failOften();
  for (let number = 0; number < 7; number += 1) expect(told(await signIn(new TestBrowser(running.gateway), `203.0.113.${number}`))).toBe('401 sign_in_failed');
  await eventually(() => running.gateway.runningRequests === 0);
  let token = '';
  for (let number = 0; number < 5; number += 1) token = await nextToken();
  const open = () => new TestBrowser(running.gateway).call(contract.signInByLink, { body: { token } });
  running.clock.advance(15 * MILLISECONDS_PER_MINUTE - 1);
  expect(told(await open())).toBe('200 full');
  expect((await mailbox.subjects(person.email)).filter((subject) => subject === 'Confirm your sign-in')).toHaveLength(5);
  await failOften();
  running.clock.advance(MILLISECONDS_PER_HOUR);
  await signIn(new TestBrowser(running.gateway));
  token = await nextToken();
  running.clock.advance(15 * MILLISECONDS_PER_MINUTE);
  expect(told(await open())).toBe('401 sign_in_failed');
});

it('after many failures, the right code ends a new browser’s session, unless the session came from the mailed link', async () => {
  const owner = new TestBrowser(running.gateway);
  await signIn(owner);
  const secret = textOf(await owner.call(contract.enableTotp, { body: {} }), 'secret');
  await owner.call(contract.verifyTotp, { body: { code: totpCodeAt(secret, running.clock.now()) } });
  running.clock.advance(STEP);
  const browser = new TestBrowser(running.gateway);
  expect(told(await signIn(browser))).toBe('200 prove-factor');
  await failOften();
  const verify = () => browser.call(contract.verifyTotp, { body: { code: totpCodeAt(secret, running.clock.now()) } });
  expect(told(await verify())).toBe('401 not_signed_in');
  expect([...browser.cookies.keys()]).toEqual([]);
  expect(told(await browser.call(contract.signInByLink, { body: { token: await nextToken() } }))).toBe('200 prove-factor');
  expect(told(await verify())).toBe('200 full');
  expect(told(await signIn(new TestBrowser(running.gateway)))).toBe('200 prove-factor');
  expect(told(await signIn(owner))).toBe('200 prove-factor');
});
