import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { InstallationSecret } from '@tollgate/adapters-node';
import { type AccountId, MILLISECONDS_PER_MINUTE, ServiceTokens } from '@tollgate/core';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, TestMailbox, textOf } from '../../src/test-support/test-browser.js';

const settings = { dashboard: { ...TEST_SETTINGS.dashboard, signupCredit: ServiceTokens.parse('12.5') } };

it('SIGNUP_CREDIT is booked as an act of money when a person signs up', async () => {
  const running = await startTestGateway({ settings, services: { secret: new InstallationSecret(new Uint8Array(32).fill(1), null) } });
  await addPerson(running.gateway, 'ada@example.com');
  const operator = await addPerson(running.gateway, 'op@example.com', 'operator');
  const [owner, other] = [new TestBrowser(running.gateway), new TestBrowser(running.gateway)];
  await owner.call(contract.signIn, { body: { email: 'ada@example.com', password: operator.password } });
  await other.call(contract.signIn, { body: { email: 'op@example.com', password: operator.password } });
  const account = await owner.call(contract.account);
  expect(account.body).toMatchObject({ balance: { available: { svc_tokens: '12.5' } } });
  const id = textOf(account, 'id') as AccountId;
  expect((await other.call(contract.listMoneyActs, { params: { id } })).body).toMatchObject({ data: [{ kind: 'signup-credit', svc_tokens: '12.5', reference: `sign-up of ${id}` }], has_more: false });
  await running.close();
});

it('SIGNUP_CREDIT expires after SIGNUP_CREDIT_DAYS', async () => {
  const expiring = { dashboard: { ...settings.dashboard, signupCreditDays: 30 } };
  const running = await startTestGateway({ settings: expiring, services: { secret: new InstallationSecret(new Uint8Array(32).fill(1), null) } });
  const at = running.clock.now();
  const { password } = await addPerson(running.gateway, 'ada@example.com');
  const owner = new TestBrowser(running.gateway);
  await owner.call(contract.signIn, { body: { email: 'ada@example.com', password } });
  expect((await owner.call(contract.listCredits)).body).toMatchObject({ data: [{ left: '12.5', expires_at: new Date(at + 30 * 86_400_000).toISOString() }] });
  await running.close();
});

it('SIGNUP_CREDIT has no effect without the installation secret, and the log says so', async () => {
  const running = await startTestGateway({ settings, services: { secret: null } });
  await addPerson(running.gateway, 'ada@example.com');
  expect(running.parts.logged).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('SIGNUP_CREDIT has no effect') }));
  const account = await running.parts.store.accounts.findByEmail('ada@example.com');
  expect((await running.parts.store.ledger.balanceOf(account?.id ?? '' as AccountId))?.posted.toString()).toBe('0');
  await running.close();
});

describe('SIGNUP_CREDIT of people who sign up by themselves', () => {
  let mailbox: TestMailbox;
  let running: TestGateway;

  beforeAll(async () => {
    mailbox = await TestMailbox.start();
    running = await startTestGateway({
      settings: { ...settings, trustedProxies: ['127.0.0.0/8'] },
      services: { secret: new InstallationSecret(new Uint8Array(32).fill(1), null), mail: mailbox.route },
    });
  });
  afterAll(async () => {
    await running.close();
    await mailbox.close();
  });

  async function balanceAfterSignUp(email: string, network: string): Promise<unknown> {
    const browser = new TestBrowser(running.gateway);
    const headers = { 'x-forwarded-for': network };
    const password = 'correct horse';
    expect((await browser.call(contract.signUp, { body: { email, name: 'Someone', password }, headers })).status).toBe(202);
    const { token } = await mailbox.nextLink(email);
    expect((await browser.call(contract.verifyEmail, { body: { token, password }, headers })).status).toBe(200);
    return (await browser.call(contract.account)).body;
  }

  const creditOf = (svc_tokens: string) => expect.objectContaining({ balance: expect.objectContaining({ available: expect.objectContaining({ svc_tokens }) }) });

  it('is booked once per mailbox, whatever the tags, dots and alias domain of the address', async () => {
    const balances: unknown[] = [];
    for (const [number, email] of ['j.doe@gmail.com', 'jdoe+2@gmail.com', 'jd.oe@googlemail.com', 'roe+1@example.test', 'roe@example.test'].entries()) {
      balances.push(await balanceAfterSignUp(email, `192.0.2.${number + 1}`));
    }
    expect(balances).toEqual(['12.5', '0', '0', '12.5', '0'].map(creditOf));
  });

  it('is booked at most twenty times a day per network', async () => {
    const balances: unknown[] = [];
    for (let number = 0; number < 22; number += 1) {
      balances.push(await balanceAfterSignUp(`n${number}@example.test`, `2001:db8::${number + 1}`));
      // A network has a limited number of attempts per minute.
      if (number % 5 === 4) running.clock.advance(MILLISECONDS_PER_MINUTE);
    }
    expect(balances).toEqual([...Array<string>(20).fill('12.5'), '0', '0'].map(creditOf));
    expect(await balanceAfterSignUp('n22@example.test', '2001:db8:1::1')).toEqual(creditOf('12.5'));
  });
});
