import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract, type RequestQueryOf } from '@tollgate/api-contract';
import { MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { until } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, TestMailbox } from '../../src/test-support/test-browser.js';

type Listed = Readonly<Record<string, unknown>>;

let mailbox: TestMailbox;
let running: TestGateway;
let operator: TestBrowser;

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  running = await startTestGateway({ services: { mail: mailbox.route } });
  const olga = await addPerson(running.gateway, 'olga@example.com', 'operator');
  operator = new TestBrowser(running.gateway);
  await operator.call(contract.signIn, { body: { email: 'olga@example.com', password: olga.password } });
});
afterAll(async () => {
  await running.close();
  await mailbox.close();
});

async function listed(query: RequestQueryOf<typeof contract.listMail> = {}): Promise<readonly Listed[]> {
  return (await operator.call(contract.listMail, { query })).body['data'] as readonly Listed[];
}

async function delivered(query: RequestQueryOf<typeof contract.listMail>, count: number): Promise<readonly Listed[]> {
  let mails: readonly Listed[] = [];
  await until(async () => (mails = await listed({ ...query, state: 'delivered' })).length === count);
  return mails;
}

it('operators trace a message by state, kind, account and address, and send it again, with a new link', async () => {
  const ada = await addPerson(running.gateway, 'ada@example.test');
  const account = ada.person.accountId ?? '';
  const visitor = new TestBrowser(running.gateway);
  await visitor.call(contract.requestReset, { body: { email: 'ada@example.test' } });
  const { token: former } = await mailbox.nextLink('ada@example.test');
  const [mail] = await delivered({ kind: 'reset-password' }, 1);
  expect(mail).toMatchObject({ account_id: account, to: 'ada@example.test', subject: null, state: 'delivered', attempts: 1, last_error: null, error_reason: null, resendable: true, next_attempt_at: null });
  const id = String(mail?.['id']);
  for (const query of [{ account }, { q: 'ADA@' }, { kind: 'reset-password' as const, account, q: 'example.test' }]) expect((await listed(query)).map(({ id: found }) => found)).toEqual([id]);
  for (const query of [{ account, state: 'waiting' as const }, { q: 'bob' }, { kind: 'invitation' as const }, { account: 'acct_none' }]) expect(await listed(query)).toEqual([]);
  running.clock.advance(1);
  expect(await operator.call(contract.resendMail, { params: { id } })).toMatchObject({ status: 202, body: { object: 'mail_resend', to: 'ada@example.test' } });
  const { token } = await mailbox.nextLink('ada@example.test');
  expect(token).not.toBe(former);
  const reset = (given: string) => visitor.call(contract.resetPassword, { body: { token: given, password: 'battery staple' } });
  expect((await reset(former)).body.error?.code).toBe('token_invalid');
  expect((await reset(token)).status).toBe(200);
  expect((await running.trail()).filter(({ action }) => action === 'person.mailed-again')).toMatchObject([{ subject: ada.person.id, accountId: account, actor: { kind: 'operator' } }]);
  const [notice] = await delivered({ kind: 'password-changed' }, 1);
  expect(notice).toMatchObject({ resendable: false });
  expect((await operator.call(contract.resendMail, { params: { id: String(notice?.['id']) } })).body.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('cannot be sent again') });
  for (let number = 0; number < 3; number += 1) expect((await operator.call(contract.resendMail, { params: { id } })).status).toBe(202);
  const refused = await operator.call(contract.resendMail, { params: { id } });
  expect([refused.status, refused.body.error?.code, refused.headers['retry-after']]).toEqual([429, 'too_many_attempts', String(MILLISECONDS_PER_HOUR / 1000)]);
  expect((await operator.call(contract.resendMail, { params: { id: 'mail_none' } })).status).toBe(404);
  const pages = await operator.call(contract.listMail, { query: { account, limit: 2 } });
  const next = await operator.call(contract.listMail, { query: { account, limit: 100, cursor: pages.body['next_cursor'] as string } });
  expect((pages.body['data'] as readonly Listed[]).length + (next.body['data'] as readonly Listed[]).length).toBe(6);
});

it('an owner cannot trace mail', async () => {
  const bob = await addPerson(running.gateway, 'bob@example.test');
  const browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: 'bob@example.test', password: bob.password } });
  expect((await browser.call(contract.listMail)).status).toBe(404);
  expect((await browser.call(contract.resendMail, { params: { id: 'mail_none' } })).status).toBe(404);
});
