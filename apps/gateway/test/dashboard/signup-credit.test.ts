import { expect, it } from '@jest/globals';
import { contract } from '@tollgate/dashboard-contract';
import { InstallationSecret } from '@tollgate/adapters-node';
import { type AccountId, ServiceTokens } from '@tollgate/core';
import { startTestGateway, TEST_SETTINGS } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const settings = { dashboard: { ...TEST_SETTINGS.dashboard, signupCredit: ServiceTokens.parse('12.5') } };

it('SIGNUP_CREDIT is on the account of a person who signed up, as an act of money', async () => {
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

it('SIGNUP_CREDIT has no effect without the secret, and a log line says so', async () => {
  const running = await startTestGateway({ settings, services: { secret: null } });
  await addPerson(running.gateway, 'ada@example.com');
  expect(running.parts.logged).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('SIGNUP_CREDIT has no effect') }));
  const account = await running.parts.store.accounts.findByEmail('ada@example.com');
  expect((await running.parts.store.ledger.balanceOf(account?.id ?? '' as AccountId))?.posted.toString()).toBe('0');
  await running.close();
});
