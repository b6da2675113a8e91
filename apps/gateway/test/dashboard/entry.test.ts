import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, NO_AUDIT_FILTERS, StoreUnavailable, SYSTEM_ACTOR } from '@tollgate/core';
import { changeStanding } from '@tollgate/testkit';
import { eventually } from '../../src/test-support/test-client.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, TestMailbox } from '../../src/test-support/test-browser.js';

const PASSWORD = 'correct horse';
const NEXT = 'battery staple';
const STRANGERS = 'password of a stranger';

let mailbox: TestMailbox;
let running: TestGateway;
let browser: TestBrowser;
let people = 0;

function newAddress(): string {
  people += 1;
  return `person${people}@example.test`;
}

function signUp(email: string, password = PASSWORD): Promise<PageReply> {
  return browser.call(contract.signUp, { body: { email, name: 'Ann Example', password } });
}

function signIn(email: string, password = PASSWORD): Promise<PageReply> {
  return browser.call(contract.signIn, { body: { email, password } });
}

async function who(): Promise<unknown> {
  const { body } = await browser.call(contract.me);
  return body.error?.code ?? (body['person'] as { email: string }).email;
}

/** Audited acts on a person's account, with their origin. */
async function actsOn(email: string): Promise<unknown> {
  const { accounts, auditTrail } = running.parts.store;
  const accountId = (await accounts.findByEmail(email))?.id ?? null;
  const page = await auditTrail.list({ ...NO_AUDIT_FILTERS, accountId, limit: 10, cursor: null });
  return page?.records.map(({ action, origin }) => [action, origin?.address]);
}

/** A reply without its date and request ids. */
function seen({ status, headers, text, body }: PageReply): unknown {
  const { date, 'x-request-id': id, 'request-id': same, ...rest } = headers;
  expect([typeof date, same]).toEqual(['string', id]);
  return { status, headers: rest, text: text.replaceAll(String(id), 'req'), code: body.error?.code };
}

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  running = await startTestGateway({ services: { mail: mailbox.route } });
});
afterAll(async () => {
  await running.close();
  await mailbox.close();
});
beforeEach(() => {
  // After an hour, attempts of earlier tests no longer count.
  running.clock.advance(MILLISECONDS_PER_HOUR);
  browser = new TestBrowser(running.gateway);
});

describe('sign-up', () => {
  it('leads through the mailed link to a session, and the person can sign in again afterwards', async () => {
    const email = newAddress();
    expect((await signUp(email)).status).toBe(202);
    expect(browser.cookies.size).toBe(0);
    expect((await signIn(email)).body.error?.code).toBe('sign_in_failed');
    const { page, token } = await mailbox.nextLink(email);
    expect(page).toBe('verify');
    const verified = await browser.call(contract.verifyEmail, { body: { token, password: PASSWORD } });
    expect(verified.body).toMatchObject({ object: 'entry', email, sign_in: { reach: 'full' } });
    expect(await who()).toBe(email);
    expect(await actsOn(email)).toEqual([['person.verified', '127.0.0.1'], ['person.registered', '127.0.0.1'], ['account.created', '127.0.0.1']]);
    await browser.call(contract.signOut);
    expect((await signIn(email)).status).toBe(200);
    expect((await browser.call(contract.verifyEmail, { body: { token, password: PASSWORD } })).body.error?.code).toBe('token_invalid');
  });

  it('sends its message in the language of the page', async () => {
    const email = newAddress();
    await browser.call(contract.signUp, { body: { email, name: 'Ann Example', password: PASSWORD, language: 'de' } });
    expect(await mailbox.next(email)).toMatchObject({ subject: 'Bestätigen Sie Ihre E-Mail-Adresse' });
  });

  it('sends the same reply for a known address, and notifies the owner by mail', async () => {
    const email = newAddress();
    await addPerson(running.gateway, email);
    const replies = [await signUp(email, STRANGERS), await signUp(newAddress(), STRANGERS)] as const;
    expect(seen(replies[0])).toEqual(seen(replies[1]));
    expect((await mailbox.next(email)).subject).toBe('You already have an account');
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    expect((await signIn(email)).status).toBe(200);
  });

  it.each([
    ['password', { password: 'short' }], ['password', { password: 'x'.repeat(129) }], ['email', { email: 'nowhere' }], ['name', { name: ' ' }],
  ])('names %s if it is invalid', async (param, wrong) => {
    const reply = await browser.call(contract.signUp, { body: { email: newAddress(), name: 'Ann', password: PASSWORD, ...wrong } });
    expect([reply.status, reply.body.error?.code, reply.body.error?.param]).toEqual([400, 'invalid_request', param]);
  });

  it('sends a new link on request, which invalidates the first one', async () => {
    const email = newAddress();
    await signUp(email);
    const first = await mailbox.nextLink(email);
    expect((await browser.call(contract.resendVerification, { body: { email: email.toUpperCase() } })).status).toBe(202);
    const second = await mailbox.nextLink(email);
    expect((await browser.call(contract.verifyEmail, { body: { token: first.token, password: PASSWORD } })).body.error?.code).toBe('token_invalid');
    expect((await browser.call(contract.verifyEmail, { body: { token: second.token, password: PASSWORD } })).status).toBe(200);
  });

  it('requires that the mailed link is used within a day', async () => {
    const email = newAddress();
    await signUp(email);
    const { token } = await mailbox.nextLink(email);
    running.clock.advance(MILLISECONDS_PER_DAY);
    expect((await browser.call(contract.verifyEmail, { body: { token, password: PASSWORD } })).body.error?.code).toBe('token_invalid');
  });

  it('ends the browser’s earlier session when it starts a new one', async () => {
    const owner = await addPerson(running.gateway, newAddress());
    await signIn(owner.person.email);
    const before = [...browser.cookies.values()][0] ?? '';
    const email = newAddress();
    await signUp(email);
    await browser.call(contract.verifyEmail, { body: { token: (await mailbox.nextLink(email)).token, password: PASSWORD } });
    expect(await who()).toBe(email);
    browser.cookies.set('tollgate_session', before);
    expect(await who()).toBe('not_signed_in');
  });
});

describe('a stranger who signs up with the address of an account created by operators', () => {
  async function attack(): Promise<{ readonly email: string; readonly accountId: string; readonly token: string }> {
    const email = newAddress();
    const made = await running.gateway.accountAdministration.create({ email, name: 'Customer', planId: running.caller.account.planId, emailVerified: true, actor: SYSTEM_ACTOR });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    await signUp(email, STRANGERS);
    return { email, accountId: made.account.id, token: (await mailbox.nextLink(email)).token };
  }

  async function ownAccount(): Promise<unknown> {
    return ((await browser.call(contract.me)).body['account'] as { id: string } | undefined)?.id;
  }

  it('gets no access, with or without the link, and the owner’s password does not confirm the sign-up', async () => {
    const { email, token } = await attack();
    expect((await signIn(email, STRANGERS)).status).toBe(401);
    const reply = await browser.call(contract.verifyEmail, { body: { token, password: PASSWORD } });
    expect([reply.status, reply.body.error?.param]).toEqual([400, 'password']);
    expect(await who()).toBe('not_signed_in');
  });

  it('is removed by "this was not me", and the owner can then sign up for the account', async () => {
    const { email, accountId, token } = await attack();
    expect((await browser.call(contract.disown, { body: { token } })).status).toBe(204);
    expect((await browser.call(contract.disown, { body: { token } })).body.error?.code).toBe('token_invalid');
    await signUp(email);
    const { token: own } = await mailbox.nextLink(email);
    await browser.call(contract.verifyEmail, { body: { token: own, password: PASSWORD } });
    expect(await ownAccount()).toBe(accountId);
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });

  it('loses all access when the owner resets the password', async () => {
    const { email, accountId, token } = await attack();
    await browser.call(contract.requestReset, { body: { email } });
    const reset = await mailbox.nextLink(email);
    expect((await browser.call(contract.resetPassword, { body: { token: reset.token, password: PASSWORD } })).status).toBe(200);
    expect(await ownAccount()).toBe(accountId);
    expect((await browser.call(contract.verifyEmail, { body: { token, password: STRANGERS } })).body.error?.code).toBe('token_invalid');
    expect((await browser.call(contract.disown, { body: { token } })).body.error?.code).toBe('token_invalid');
    expect((await signIn(email, STRANGERS)).status).toBe(401);
  });
});

describe('a password reset', () => {
  it('ends earlier sessions, starts one, and is reported by mail; older and used links are invalid', async () => {
    const { person: { email } } = await addPerson(running.gateway, newAddress());
    await signIn(email);
    const before = [...browser.cookies.values()][0] ?? '';
    await browser.call(contract.requestReset, { body: { email } });
    const older = await mailbox.nextLink(email);
    await browser.call(contract.requestReset, { body: { email: email.toUpperCase() } });
    const newer = await mailbox.nextLink(email);
    expect(newer.page).toBe('reset');
    const reset = (token: string, password = NEXT) => browser.call(contract.resetPassword, { body: { token, password } });
    expect((await reset(older.token)).body.error?.code).toBe('token_invalid');
    expect((await reset(newer.token, 'short')).body.error?.param).toBe('password');
    expect((await reset(newer.token)).body).toMatchObject({ email, sign_in: { reach: 'full' } });
    expect(await who()).toBe(email);
    expect((await reset(newer.token)).body.error?.code).toBe('token_invalid');
    expect((await mailbox.next(email)).subject).toBe('Your password was changed');
    browser.cookies.set('tollgate_session', before);
    expect(await who()).toBe('not_signed_in');
    expect([(await signIn(email)).status, (await signIn(email, NEXT)).status]).toEqual([401, 200]);
  });

  it('that starts no session, for example because the account is blocked, is logged with the reason but without the address', async () => {
    const { person: { email } } = await addPerson(running.gateway, newAddress());
    const { accounts } = running.parts.store;
    await browser.call(contract.requestReset, { body: { email } });
    const { token } = await mailbox.nextLink(email);
    const account = await accounts.findByEmail(email);
    if (account !== null) await changeStanding(accounts, account.id, { blocked: true }, { actor: SYSTEM_ACTOR, at: running.clock.now() });
    const lines = running.parts.logged.length;
    expect((await browser.call(contract.resetPassword, { body: { token, password: NEXT } })).body).toEqual({ object: 'entry', email, sign_in: null });
    expect(running.parts.logged.slice(lines)).toContainEqual(expect.objectContaining({
      msg: 'a sign-in was refused', reason: 'the proof is wrong or was used before, the address is unknown, or the account may not sign in',
    }));
    expect(JSON.stringify(running.parts.logged)).not.toContain(email);
  });

  it('expires after an hour', async () => {
    const { person: { email } } = await addPerson(running.gateway, newAddress());
    await browser.call(contract.requestReset, { body: { email } });
    const { token } = await mailbox.nextLink(email);
    running.clock.advance(MILLISECONDS_PER_HOUR);
    expect((await browser.call(contract.resetPassword, { body: { token, password: NEXT } })).body.error?.code).toBe('token_invalid');
  });
});

it.each([
  ['sign-in', (email: string) => signIn(email, 'wrong horse')],
  ['a reset request', (email: string) => browser.call(contract.requestReset, { body: { email } })],
  ['a new link', (email: string) => browser.call(contract.resendVerification, { body: { email } })],
])('%s replies alike for known, unverified and unknown addresses', async (_name, call) => {
  const [known, unverified] = [newAddress(), newAddress()];
  await addPerson(running.gateway, known);
  await signUp(unverified);
  const replies = [];
  for (const email of [known, unverified, newAddress()]) replies.push(seen(await call(email)));
  expect(replies[1]).toEqual(replies[0]);
  expect(replies[2]).toEqual(replies[0]);
});

describe('while the store of people is unavailable', () => {
  let away: TestGateway;
  beforeAll(async () => {
    const fail = () => Promise.reject(new StoreUnavailable(new Error('away')));
    // `await` would take an object with `then` for a promise.
    const unreachable = new Proxy({}, { get: (_target, name) => (name === 'then' ? undefined : fail) }) as TestGateway['parts']['store']['people'];
    away = await startTestGateway({ services: ({ store, platform }) => ({ store: { ...store, platform, people: unreachable } }) });
  });
  afterAll(() => away.close());

  const token = 'A'.repeat(43);
  it.each([
    ['sign-up', (page: TestBrowser) => page.call(contract.signUp, { body: { email: 'ann@example.test', name: 'Ann', password: PASSWORD } })],
    ['sign-in', (page: TestBrowser) => page.call(contract.signIn, { body: { email: 'ann@example.test', password: PASSWORD } })],
    ['a verification', (page: TestBrowser) => page.call(contract.verifyEmail, { body: { token, password: PASSWORD } })],
    ['"not me"', (page: TestBrowser) => page.call(contract.disown, { body: { token } })],
    ['a reset', (page: TestBrowser) => page.call(contract.resetPassword, { body: { token, password: PASSWORD } })],
    ['an invitation', (page: TestBrowser) => page.call(contract.acceptInvitation, { body: { token, password: PASSWORD } })],
    ['a change of address', (page: TestBrowser) => page.call(contract.confirmChangeEmail, { body: { token } })],
  ])('%s answers 503, neither success nor a refusal', async (_name, call) => {
    const reply = await call(new TestBrowser(away.gateway));
    expect([reply.status, reply.body.error?.code]).toEqual([503, 'service_unavailable']);
  });

  it('a reset request gets the usual reply, and the log states the failure without the address', async () => {
    expect((await new TestBrowser(away.gateway).call(contract.requestReset, { body: { email: 'ann@example.test' } })).status).toBe(202);
    await eventually(() => away.parts.logged.some(({ msg }) => msg === 'the background work of a request failed'));
    expect(JSON.stringify(away.parts.logged)).not.toContain('ann@example.test');
  });
});
