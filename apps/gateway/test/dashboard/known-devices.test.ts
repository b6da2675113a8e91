import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { Argon2Hasher, InstallationSecret } from '@tollgate/adapters-node';
import { MILLISECONDS_PER_HOUR } from '@tollgate/core';
import type { Password, PasswordHasher, PasswordVerdict, TurnHolder } from '@tollgate/identity';
import { totpCodeAt } from '@tollgate/testkit';
import { eventually } from '../../src/test-support/test-client.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, TestMailbox, textOf } from '../../src/test-support/test-browser.js';

const [ANN, BOB] = ['ann@example.test', 'bob@example.test'];
const PASSWORD = 'correct horse';
const HERE = '203.0.113.7';

/** The real hasher; it also counts hashes that were requested and completed. */
class CountingHasher implements PasswordHasher {
  asked = 0;
  done = 0;
  readonly #hasher = new Argon2Hasher();

  checkRoom(holder: TurnHolder): void {
    this.#hasher.checkRoom(holder);
  }

  hash(password: Password, holder: TurnHolder): Promise<string> {
    return this.#hasher.hash(password, holder);
  }

  async verify(password: Password, stored: string | null, holder: TurnHolder): Promise<PasswordVerdict> {
    this.asked += 1;
    const verdict = await this.#hasher.verify(password, stored, holder);
    this.done += 1;
    return verdict;
  }
}

const hasher = new CountingHasher();
let mailbox: TestMailbox;
let running: TestGateway;

function signIn(browser: TestBrowser, email: string, from = HERE, password = PASSWORD): Promise<PageReply> {
  return browser.call(contract.signIn, { body: { email, password }, headers: { 'x-forwarded-for': from } });
}

/** A new browser with which each of these people has signed in. */
async function knownTo(...emails: readonly string[]): Promise<TestBrowser> {
  const browser = new TestBrowser(running.gateway);
  for (const email of emails) {
    await signIn(browser, email, '198.51.100.1');
    await browser.call(contract.signOut);
  }
  return browser;
}

/** Uses up the sign-in attempts of a network for this e-mail address. */
async function useUp(email: string, from = HERE): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) await signIn(new TestBrowser(running.gateway), email, from, 'wrong horse');
}

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  running = await startTestGateway({
    services: { mail: mailbox.route, passwordHasher: hasher, secret: new InstallationSecret(new Uint8Array(32), null) }, settings: { trustedProxies: ['127.0.0.0/8'] },
  });
  await addPerson(running.gateway, ANN);
  await addPerson(running.gateway, BOB);
});
afterAll(async () => {
  await running.close();
  await mailbox.close();
});
beforeEach(() => running.clock.advance(MILLISECONDS_PER_HOUR));

describe('a browser with which a person has signed in', () => {
  it('signs in this person, and no other, after strangers used up the network’s attempts', async () => {
    const browser = await knownTo(ANN);
    await useUp(ANN);
    await useUp(BOB);
    expect((await signIn(new TestBrowser(running.gateway), ANN)).status).toBe(429);
    expect([(await signIn(browser, ANN)).status, (await signIn(browser, BOB)).status]).toEqual([200, 429]);
  });

  it('can be a known browser of several people', async () => {
    const browser = await knownTo(ANN, BOB);
    await useUp(ANN);
    await useUp(BOB);
    expect([(await signIn(browser, ANN)).status, (await signIn(browser, BOB)).status]).toEqual([200, 200]);
  });

  it('has sign-in attempts of its own, which are limited too', async () => {
    const browser = await knownTo(ANN);
    const guesses: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) guesses.push((await signIn(browser, ANN, `203.0.113.${tries}`, 'wrong horse')).status);
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await signIn(new TestBrowser(running.gateway), ANN)).status).toBe(200);
  });

  it('is not delayed by attempts of strangers', async () => {
    const browser = await knownTo(ANN);
    for (let network = 0; network < 4; network += 1) {
      for (let tries = 0; tries < 3; tries += 1) void signIn(new TestBrowser(running.gateway), ANN, `198.51.100.${network}`, 'wrong horse');
    }
    await eventually(() => running.gateway.runningRequests <= 1);
    expect((await signIn(browser, ANN)).status).toBe(200);
    running.clock.advance(2000);
  });

  it('has its own quota of mailed links, which strangers cannot use up', async () => {
    const browser = await knownTo(ANN);
    const request = (from: string, by = new TestBrowser(running.gateway)) => by.call(contract.requestReset, { body: { email: ANN }, headers: { 'x-forwarded-for': from } });
    for (let number = 0; number < 6; number += 1) await request(`203.0.113.${number}`);
    await eventually(() => running.gateway.runningRequests === 0);
    await request(HERE, browser);
    const links = [];
    for (let number = 0; number < 6; number += 1) links.push((await mailbox.nextLink(ANN)).page);
    expect(links).toEqual(Array.from({ length: 6 }, () => 'reset'));
  });

  it('is no longer known after a password reset in another browser, which becomes known instead', async () => {
    const browser = await knownTo(ANN);
    await browser.call(contract.requestReset, { body: { email: ANN } });
    const { token } = await mailbox.nextLink(ANN);
    const resetter = new TestBrowser(running.gateway);
    expect((await resetter.call(contract.resetPassword, { body: { token, password: PASSWORD } })).status).toBe(200);
    await useUp(ANN);
    expect([(await signIn(browser, ANN)).status, (await signIn(resetter, ANN)).status]).toEqual([429, 200]);
  });

  it('becomes known only after all factors are proved, not by the password alone', async () => {
    const email = 'carol@example.test';
    await addPerson(running.gateway, email);
    const browser = await knownTo(email);
    await signIn(browser, email);
    const secret = textOf(await browser.call(contract.enableTotp, { body: {} }), 'secret');
    await browser.call(contract.verifyTotp, { body: { code: totpCodeAt(secret, running.clock.now()) } });
    const thief = new TestBrowser(running.gateway);
    await signIn(thief, email);
    expect([...thief.cookies.keys()]).toEqual(['tollgate_session']);
    running.clock.advance(30_000);
    await thief.call(contract.verifyTotp, { body: { code: totpCodeAt(secret, running.clock.now()) } });
    expect([...thief.cookies.keys()].toSorted()).toEqual(['tollgate_device', 'tollgate_session']);
  });
});

it('the sign-in of a known browser is not queued behind a flood of sign-ins from unknown ones', async () => {
  const browser = await knownTo(ANN);
  const [asked, done] = [hasher.asked, hasher.done];
  const flood = Array.from({ length: 40 }, (_, number) => signIn(new TestBrowser(running.gateway), `stranger${number}@example.test`, `192.0.2.${number}`));
  await eventually(() => hasher.asked === asked + 40);
  const before = hasher.done;
  expect((await signIn(browser, ANN)).status).toBe(200);
  // At most two hashes run at once, and one more may have begun in between.
  expect(hasher.done - before).toBeLessThanOrEqual(4);
  expect(before - done).toBeLessThan(30);
  expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([401]));
});

it('sign-ins of a network beyond its share are refused immediately, while other networks are served', async () => {
  const asked = hasher.asked;
  const busy = Array.from({ length: 40 }, (_, number) => signIn(new TestBrowser(running.gateway), `stranger${number}@example.test`, `192.0.2.${number}`));
  await eventually(() => hasher.asked === asked + 40);
  const flood = Array.from({ length: 15 }, (_, number) => signIn(new TestBrowser(running.gateway), `flood${number}@example.test`, HERE));
  const other = signIn(new TestBrowser(running.gateway), BOB, '198.51.100.9');
  const refused = (await Promise.all(flood)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(5);
  expect(refused[0]?.headers['retry-after']).toBe('2');
  expect((await other).status).toBe(200);
  await Promise.all(busy);
});
