import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { MILLISECONDS_PER_HOUR, SYSTEM_ACTOR } from '@tollgate/core';
import { FactorNotices, Operators } from '@tollgate/identity';
import { totpCodeAt } from '@tollgate/testkit';
import { services } from '../../src/composition/services.js';
import { DatabaseGateway, DATABASES } from '../../src/test-support/database-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const STEP = 30_000;
const NEXT = 'battery staple';

describe.each(DATABASES)('a password reset by mail, over %s,', (kind) => {
  let running: DatabaseGateway;
  let operators: Operators;
  let browser: TestBrowser;
  let email: string;
  let people = 0;

  beforeAll(async () => {
    running = await DatabaseGateway.start(kind, { secondFactor: 'operators' });
    operators = running.gateway.container.get(Operators);
  });
  afterAll(() => running.close());
  beforeEach(() => {
    running.clock.advance(MILLISECONDS_PER_HOUR);
    people += 1;
    email = `operator${people}@example.test`;
    browser = new TestBrowser(running.gateway);
  });

  async function signInByLink(id: Parameters<Operators['issueLink']>[0]): Promise<PageReply> {
    const token = await operators.issueLink(id, { actor: SYSTEM_ACTOR, at: running.clock.now() }) ?? '';
    return browser.call(contract.signInByLink, { body: { token } });
  }

  async function enrol(): Promise<{ readonly secret: string; readonly codes: readonly string[] }> {
    const secret = textOf(await browser.call(contract.enableTotp, { body: {} }), 'secret');
    const { body } = await browser.call(contract.verifyTotp, { body: { code: totpCodeAt(secret, running.clock.now()) } });
    running.clock.advance(STEP);
    return { secret, codes: body['recovery_codes'] as readonly string[] };
  }

  async function requestReset(): Promise<string> {
    expect((await new TestBrowser(running.gateway).call(contract.requestReset, { body: { email } })).status).toBe(202);
    for (;;) {
      const mail = await running.mailbox.next(email);
      const token = /reset#token=([\w-]+)/.exec(mail.text)?.[1];
      if (token !== undefined) return token;
    }
  }

  /** Resets the password as a thief with access to the mailbox would. */
  async function resetIn(thief: TestBrowser, token?: string): Promise<PageReply> {
    return thief.call(contract.resetPassword, { body: { token: token ?? await requestReset(), password: NEXT } });
  }

  it('of an operator keeps the factor: the next sign-in with the new password needs it or a recovery code', async () => {
    const { person } = await addPerson(running.gateway, email, 'operator');
    await signInByLink(person.id);
    const { secret, codes } = await enrol();
    const thief = new TestBrowser(running.gateway);
    expect((await resetIn(thief)).body).toMatchObject({ sign_in: { reach: 'prove-factor', factors: ['totp'] } });
    expect((await browser.call(contract.me)).status).toBe(401);
    for (const route of [contract.listAccounts, contract.account, contract.factors] as const) expect((await thief.call(route)).body.error?.code).toBe('second_factor_required');
    expect((await thief.call(contract.enableTotp, { body: {} })).body.error?.code).toBe('second_factor_required');
    expect((await thief.call(contract.passkeyOptions, { body: {} })).body.error?.code).toMatch(/second_factor_required|insecure_address/);
    expect((await thief.call(contract.useRecoveryCode, { body: { code: codes[0] ?? '' } })).body).toMatchObject({ reach: 'full' });
    await thief.call(contract.signIn, { body: { email, password: NEXT } });
    running.clock.advance(STEP);
    expect((await thief.call(contract.verifyTotp, { body: { code: totpCodeAt(secret, running.clock.now()) } })).body).toMatchObject({ reach: 'full' });
  });

  it('of an operator without a second factor gives no access; a factor is then enrolled by a link from the command line', async () => {
    const { person } = await addPerson(running.gateway, email, 'operator');
    const thief = new TestBrowser(running.gateway);
    expect((await resetIn(thief)).body).toMatchObject({ sign_in: { reach: 'operator-link' } });
    expect((await thief.call(contract.enableTotp, { body: {} })).body.error?.code).toBe('second_factor_required');
    expect((await thief.call(contract.account)).body.error?.message).toContain('tollgate operators link');
    expect((await thief.call(contract.signIn, { body: { email, password: NEXT } })).body).toMatchObject({ reach: 'operator-link' });
    expect((await signInByLink(person.id)).body).toMatchObject({ reach: 'enrol-factor' });
    await enrol();
    expect((await browser.call(contract.account)).status).toBe(200);
    expect((await thief.call(contract.currentSession)).body).toMatchObject({ reach: 'prove-factor' });
  });

  it('that a person requested as an owner removes no factor if the person is an operator by the time of its use', async () => {
    const { person } = await addPerson(running.gateway, email);
    const token = await requestReset();
    const by = { actor: SYSTEM_ACTOR, at: running.clock.now() };
    await running.gateway.people.setRole(person.id, 'operator', by);
    await signInByLink(person.id);
    await enrol();
    expect((await resetIn(new TestBrowser(running.gateway), token)).body).toMatchObject({ sign_in: { reach: 'prove-factor' } });
  });

  it('of an owner removes the factor', async () => {
    const { password } = await addPerson(running.gateway, email);
    await browser.call(contract.signIn, { body: { email, password } });
    await enrol();
    expect((await resetIn(new TestBrowser(running.gateway))).body).toMatchObject({ sign_in: { reach: 'full', factors: [] } });
  });

  it('removes an authenticator app whose enrolment was not confirmed', async () => {
    const { person } = await addPerson(running.gateway, email, 'operator');
    await signInByLink(person.id);
    const secret = textOf(await browser.call(contract.enableTotp, { body: {} }), 'secret');
    await resetIn(new TestBrowser(running.gateway));
    await signInByLink(person.id);
    expect((await browser.call(contract.verifyTotp, { body: { code: totpCodeAt(secret, running.clock.now()) } })).body.error?.code).toBe('conflict');
  });

  it('is not needed to replace the authenticator app in a session that has proved the old one', async () => {
    const { person } = await addPerson(running.gateway, email, 'operator');
    await signInByLink(person.id);
    await enrol();
    expect((await browser.call(contract.disableTotp, { body: {} })).status).toBe(204);
    expect((await browser.call(contract.currentSession)).body).toMatchObject({ reach: 'enrol-factor' });
    await enrol();
    expect((await browser.call(contract.currentSession)).body).toMatchObject({ reach: 'full' });
  });

  it('is not needed by an operator whose factors were removed: a sign-in link leads to the enrolment of new ones', async () => {
    const { person } = await addPerson(running.gateway, email, 'operator');
    await signInByLink(person.id);
    await enrol();
    const by = { actor: SYSTEM_ACTOR, at: running.clock.now() };
    const ids = running.gateway.container.get(services.ids);
    const notices = new FactorNotices({ ids, site: () => ({ baseUrl: 'http://localhost', product: 'Tollgate' }), onStored: () => undefined });
    expect(await operators.removeFactors(person, notices, by)).toBe(true);
    expect(await operators.removeFactors(person, notices, by)).toBe(false);
    expect((await browser.call(contract.me)).status).toBe(401);
    expect((await signInByLink(person.id)).body).toMatchObject({ reach: 'enrol-factor', factors: [] });
  });
});
