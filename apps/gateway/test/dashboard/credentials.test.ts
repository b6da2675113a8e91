import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE, SYSTEM_ACTOR } from '@tollgate/core';
import { changeStanding } from '@tollgate/testkit';
import { services } from '../../src/composition/services.js';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, TestMailbox } from '../../src/test-support/test-browser.js';

const PASSWORD = 'correct horse';
const NEXT = 'battery staple';

let mailbox: TestMailbox;
let running: TestGateway;
let browser: TestBrowser;
let email: string;
let people = 0;

async function signedIn(password = PASSWORD, address = email): Promise<TestBrowser> {
  const page = new TestBrowser(running.gateway);
  expect((await page.call(contract.signIn, { body: { email: address, password } })).status).toBe(200);
  return page;
}

async function isSignedIn(page: TestBrowser): Promise<boolean> {
  return (await page.call(contract.me)).status === 200;
}

function follow(token: string): Promise<PageReply> {
  return new TestBrowser(running.gateway).call(contract.confirmChangeEmail, { body: { token } });
}

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  running = await startTestGateway({ services: { mail: mailbox.route } });
});
afterAll(async () => {
  await running.close();
  await mailbox.close();
});
beforeEach(async () => {
  // After an hour, attempts of earlier tests no longer count.
  running.clock.advance(MILLISECONDS_PER_HOUR);
  people += 1;
  email = `person${people}@example.test`;
  await addPerson(running.gateway, email);
  browser = await signedIn();
});

describe('a change of password', () => {
  const change = (current_password: string, new_password = NEXT) => browser.call(contract.changePassword, { body: { current_password, new_password } });

  it('ends all other sessions, gives the present session a new token, and is reported by mail', async () => {
    const other = await signedIn();
    const copy = new TestBrowser(running.gateway);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect((await change(PASSWORD)).status).toBe(204);
    expect([await isSignedIn(browser), await isSignedIn(other), await isSignedIn(copy)]).toEqual([true, false, false]);
    expect((await mailbox.next(email)).subject).toBe('Your password was changed');
    await signedIn(NEXT);
  });

  it.each([['current_password', 'wrong horse', NEXT], ['new_password', PASSWORD, 'short']])('is refused with the name of the field if %s is invalid, and changes nothing', async (param, current, next) => {
    const reply = await change(current, next);
    expect([reply.status, reply.body.error?.param]).toEqual([400, param]);
    await signedIn();
    expect(await mailbox.subjects(email)).toEqual([]);
  });

  it('is refused after five wrong passwords within a minute', async () => {
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await change('wrong horse')).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  });

  it('counts each wrong password as a failed proof: ten lock all proofs, and the owner is notified', async () => {
    const tell = ({ status, headers }: PageReply): readonly unknown[] => [status, headers['retry-after']];
    for (let tries = 0; tries < 5; tries += 1) await change('wrong horse');
    running.clock.advance(MILLISECONDS_PER_MINUTE);
    for (let tries = 0; tries < 5; tries += 1) await change('wrong horse');
    expect((await mailbox.next(email)).subject).toBe('Wrong passwords or codes were entered');
    running.clock.advance(MILLISECONDS_PER_MINUTE);
    expect(tell(await change(PASSWORD))).toEqual([429, '840']);
    expect(tell(await browser.call(contract.provePassword, { body: { password: PASSWORD } }))).toEqual([429, '840']);
    running.clock.advance(14 * MILLISECONDS_PER_MINUTE);
    expect((await change(PASSWORD)).status).toBe(204);
  });
});

describe('a change of address', () => {
  const request = (to: string) => browser.call(contract.changeEmail, { body: { email: to } });

  it('is confirmed at the old address, then at the new one; each link works once, and older reset links become invalid', async () => {
    const next = `Next.${email}`;
    const reset = new TestBrowser(running.gateway);
    expect((await request(next)).status).toBe(202);
    const present = await mailbox.nextLink(email);
    expect(present.page).toBe('change-email');
    expect((await follow(present.token)).body).toMatchObject({ state: 'confirmed' });
    expect((await follow(present.token)).body.error?.code).toBe('token_invalid');
    await reset.call(contract.requestReset, { body: { email } });
    const older = await mailbox.nextLink(email);
    const proof = await mailbox.nextLink(next.toLowerCase());
    expect((await follow(proof.token)).body).toMatchObject({ state: 'changed' });
    expect((await follow(proof.token)).body.error?.code).toBe('token_invalid');
    expect(((await browser.call(contract.me)).body['person'] as { email: string }).email).toBe(next.toLowerCase());
    await signedIn(PASSWORD, next);
    expect((await reset.call(contract.resetPassword, { body: { token: older.token, password: NEXT } })).body.error?.code).toBe('token_invalid');
  });

  it('does not reveal that another account has the address until its last link is opened', async () => {
    const taken = `taken.${email}`;
    await addPerson(running.gateway, taken);
    expect((await request(taken)).status).toBe(202);
    await follow((await mailbox.nextLink(email)).token);
    const reply = await follow((await mailbox.nextLink(taken)).token);
    expect([reply.status, reply.body.error?.code]).toEqual([409, 'conflict']);
    await signedIn();
  });

  it('is refused in the same words whether another account has the address or the requesting account is not active', async () => {
    const refusalOf = async (to: string, meanwhile: () => Promise<unknown>): Promise<readonly unknown[]> => {
      await request(to);
      await follow((await mailbox.nextLink(email)).token);
      const { token } = await mailbox.nextLink(to);
      await meanwhile();
      const { status, body } = await follow(token);
      return [status, body.error?.code, body.error?.message];
    };
    const taken = await refusalOf(`taken.${email}`, () => addPerson(running.gateway, `taken.${email}`));
    const { accounts } = running.parts.store;
    const account = await accounts.findByEmail(email);
    const suspended = await refusalOf(`next.${email}`, () => changeStanding(accounts, account?.id as AccountId, { status: 'suspended' }, { actor: SYSTEM_ACTOR, at: running.clock.now() }));
    expect(taken).toEqual([409, 'conflict', 'The address cannot be changed: another account has it, or the account that asked for it is not active.']);
    expect(suspended).toEqual(taken);
  });

  it('sends at most five links an hour to a new address, however many people request it', async () => {
    const next = `next.${email}`;
    for (const person of [`one.${email}`, `two.${email}`]) {
      await addPerson(running.gateway, person);
      const page = await signedIn(PASSWORD, person);
      for (let asked = 0; asked < 3; asked += 1) {
        expect((await page.call(contract.changeEmail, { body: { email: next } })).status).toBe(202);
        expect((await follow((await mailbox.nextLink(person)).token)).body).toMatchObject({ state: 'confirmed' });
      }
    }
    // The sixth message is of another kind, which is limited separately.
    await browser.call(contract.signUp, { body: { email: next, name: 'Next', password: PASSWORD } });
    const pages: string[] = [];
    for (let read = 0; read < 6; read += 1) pages.push((await mailbox.nextLink(next)).page);
    expect(pages).toEqual([...Array<string>(5).fill('change-email'), 'verify']);
  });

  it('expires after an hour', async () => {
    await request(`next.${email}`);
    const { token } = await mailbox.nextLink(email);
    running.clock.advance(MILLISECONDS_PER_HOUR);
    expect((await follow(token)).body.error?.code).toBe('token_invalid');
  });

  it.each([['nowhere'], ['PERSON@example.test']])('is refused with the name of the field if %s cannot be the new address', async (to) => {
    const reply = await request(to === 'nowhere' ? to : email.toUpperCase());
    expect([reply.status, reply.body.error?.param]).toEqual([400, 'email']);
  });

  it('requires a recent proof', async () => {
    running.clock.advance(MILLISECONDS_PER_HOUR);
    expect((await request(`next.${email}`)).body.error?.code).toBe('fresh_proof_required');
  });
});

describe('where people are admitted by invitation only,', () => {
  let invited: TestGateway;
  beforeAll(async () => {
    const dashboard = { ...TEST_SETTINGS.dashboard, signUp: 'invitation' } as const;
    invited = await startTestGateway({ services: { mail: mailbox.route }, settings: { dashboard } });
  });
  afterAll(() => invited.close());

  function invite(to: string): Promise<string> {
    return invited.gateway.container.get(services.identity).invitations.invite({ email: to, name: 'Guest', by: SYSTEM_ACTOR });
  }

  it('sign-up is refused with the same message for every address', async () => {
    await invite('known@example.test');
    const page = new TestBrowser(invited.gateway);
    const texts: string[] = [];
    for (const address of ['known@example.test', 'unknown@example.test', 'nowhere']) {
      const reply = await page.call(contract.signUp, { body: { email: address, name: 'Guest', password: PASSWORD } });
      expect([reply.status, reply.body.error?.code]).toEqual([403, 'sign_up_closed']);
      texts.push(reply.text.replaceAll(/req_\w+/g, 'req'));
    }
    expect(new Set(texts).size).toBe(1);
    expect((await page.call(contract.signInMethods)).body).toMatchObject({ sign_up: 'invitation' });
  });

  it('the link of an invitation sets the first password and starts a session, once, within seven days', async () => {
    const page = new TestBrowser(invited.gateway);
    const accept = (token: string, password = PASSWORD) => page.call(contract.acceptInvitation, { body: { token, password } });
    expect(await invite('guest@example.test')).toBe('invited');
    const first = await mailbox.nextLink('guest@example.test');
    expect(await invite('guest@example.test')).toBe('invited');
    const second = await mailbox.nextLink('guest@example.test');
    expect(second.page).toBe('invite');
    expect((await accept(first.token)).body.error?.code).toBe('token_invalid');
    expect((await accept(second.token, 'short')).body.error?.param).toBe('password');
    expect((await accept(second.token)).body).toMatchObject({ email: 'guest@example.test', sign_in: { reach: 'full' } });
    expect(await isSignedIn(page)).toBe(true);
    expect((await accept(second.token)).body.error?.code).toBe('token_invalid');
    expect(await invite('guest@example.test')).toBe('has-account');
    expect(await invite('late@example.test')).toBe('invited');
    const late = await mailbox.nextLink('late@example.test');
    invited.clock.advance(7 * MILLISECONDS_PER_DAY);
    expect((await accept(late.token)).body.error?.code).toBe('token_invalid');
  });

  it('an invited person who requests the link again gets another invitation, which replaces the first', async () => {
    const page = new TestBrowser(invited.gateway);
    await invite('slow@example.test');
    const first = await mailbox.nextLink('slow@example.test');
    await page.call(contract.resendVerification, { body: { email: 'slow@example.test' } });
    const second = await mailbox.nextLink('slow@example.test');
    expect(second.page).toBe('invite');
    expect((await page.call(contract.acceptInvitation, { body: { token: first.token, password: PASSWORD } })).body.error?.code).toBe('token_invalid');
    expect((await page.call(contract.acceptInvitation, { body: { token: second.token, password: PASSWORD } })).status).toBe(200);
  });

  it('the new link of an invited person is valid until the seventh day after the invitation, as its message says', async () => {
    const page = new TestBrowser(invited.gateway);
    await invite('later@example.test');
    await mailbox.nextLink('later@example.test');
    invited.clock.advance(6 * MILLISECONDS_PER_DAY);
    await page.call(contract.resendVerification, { body: { email: 'later@example.test' } });
    const { text, token } = await mailbox.nextLink('later@example.test');
    expect(text).toContain('expires in 1 day.');
    invited.clock.advance(MILLISECONDS_PER_DAY);
    expect((await page.call(contract.acceptInvitation, { body: { token, password: PASSWORD } })).body.error?.code).toBe('token_invalid');
  });
});
