import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AuditTrailVerification, type JsonObject, rfc3339 } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, TestMailbox, type TestPerson, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let mailbox: TestMailbox;
let operator: TestPerson;
let browser: TestBrowser;
let ann: TestPerson;
/** Functions that let held verifications continue. */
let held: (() => void)[] = [];
let verifications = 0;

function signIn(person: TestPerson): Promise<TestBrowser> {
  const of = new TestBrowser(running.gateway);
  return of.call(contract.signIn, { body: { email: person.person.email, password: person.password } }).then(() => of);
}

beforeAll(async () => {
  mailbox = await TestMailbox.start();
  running = await startTestGateway({
    services: ({ store }) => ({
      mail: mailbox.route,
      store: {
        ...store,
        auditTrail: {
          list: (query) => store.auditTrail.list(query),
          append: (act) => store.auditTrail.append(act),
          recordView: (accountId, by) => store.auditTrail.recordView(accountId, by),
          verifyAuditTrail: async (): Promise<AuditTrailVerification> => {
            verifications += 1;
            await new Promise<void>((resolve) => held.push(resolve));
            return store.auditTrail.verifyAuditTrail();
          },
        },
      },
    }),
  });
  operator = await addPerson(running.gateway, 'olga@example.com', 'operator');
  ann = await addPerson(running.gateway, 'ann@example.com');
  browser = await signIn(operator);
});
afterAll(async () => {
  await running.close();
  await mailbox.close();
});

it('operators list who changed an account, with filters and in pages', async () => {
  const account = String(ann.person.accountId);
  running.clock.advance(1000);
  const start = rfc3339(running.clock.now());
  await browser.call(contract.creditAccount, { params: { id: account }, body: { svc_tokens: '5', reference: 'r', reason: 'a gift' } });
  await browser.call(contract.suspendAccount, { params: { id: account }, body: { reason: 'abuse' } });
  const first = await browser.call(contract.listAudit, { query: { account, start, limit: 1 } });
  expect(first.body).toMatchObject({
    has_more: true, data: [{ action: 'account.suspended', texts: { reason: 'abuse' }, subject: account, account_id: account, actor: { kind: 'operator', id: operator.person.id }, origin: { place: 'gateway', address: '127.0.0.1' } }],
  });
  const second = await browser.call(contract.listAudit, { query: { account, start, cursor: textOf(first, 'next_cursor') } });
  expect(second.body).toMatchObject({ has_more: false, data: [{ action: 'account.credited', texts: { reason: 'a gift' } }] });
  const actions = async (query: Record<string, string>): Promise<readonly unknown[]> =>
    ((await browser.call(contract.listAudit, { query })).body['data'] as readonly JsonObject[]).map(({ action }) => action);
  expect(await actions({ action: 'account.suspended' })).toEqual(['account.suspended']);
  expect(await actions({ actor: operator.person.id, start })).toEqual(['account.suspended', 'account.credited']);
  expect(await actions({ actor_kind: 'system', start })).toEqual([]);
  expect(await actions({ end: '2000-01-01T00:00:00Z' })).toEqual([]);
  expect((await browser.call(contract.listAudit, { query: { cursor: 'x' } })).body.error?.param).toBe('cursor');
});

it('the audit log is verified once for all concurrent requests', async () => {
  const asked = [browser.call(contract.verifyAudit), (await signIn(operator)).call(contract.verifyAudit)];
  while (held.length === 0) await new Promise(setImmediate);
  // Both requests have arrived once a third one has been answered.
  await browser.call(contract.me);
  expect(verifications).toBe(1);
  for (const go of held) go();
  const replies = await Promise.all(asked);
  expect(replies.map(({ body }) => body['fault'])).toEqual([null, null]);
  held = [];
  const again = browser.call(contract.verifyAudit);
  while (held.length === 0) await new Promise(setImmediate);
  for (const go of held) go();
  expect((await again).body).toMatchObject({ first_broken_entry: null, entries: (await running.trail()).length });
  expect(verifications).toBe(2);
});

it('operators see the sessions of a person and end them all, which is audited', async () => {
  const anns = [await signIn(ann), await signIn(ann)];
  const params = { id: ann.person.id };
  const { body } = await browser.call(contract.listSessionsOfPerson, { params });
  expect(body['data']).toMatchObject([{ is_current: false, address: '127.0.0.1' }, { is_current: false }]);
  expect((await browser.call(contract.endSessionsOfPerson, { params })).status).toBe(204);
  expect(await Promise.all(anns.map(async (each) => (await each.call(contract.me)).status))).toEqual([401, 401]);
  expect((await browser.call(contract.listAudit, { query: { action: 'person.sessions-ended' } })).body['data'])
    .toMatchObject([{ subject: ann.person.id, account_id: ann.person.accountId, details: { sessions: 2 }, actor: { id: operator.person.id } }]);
  for (const route of [contract.listSessionsOfPerson, contract.endSessionsOfPerson]) expect((await browser.call(route, { params: { id: 'person_none' } })).status).toBe(404);
});

it('operators invite people who have no account, and invite them again if the first link was lost', async () => {
  const invite = (email: string) => browser.call(contract.invitePerson, { body: { email, name: 'Ivy' } });
  const replies = [await invite('Ivy@example.com'), await invite('ivy@example.com')];
  expect(replies.map(({ status }) => status)).toEqual([202, 202]);
  await mailbox.nextLink('ivy@example.com');
  const { token } = await mailbox.nextLink('ivy@example.com');
  expect((await new TestBrowser(running.gateway).call(contract.acceptInvitation, { body: { token, password: 'correct horse' } })).status).toBe(200);
  expect((await invite('ivy@example.com')).body.error).toMatchObject({ code: 'conflict', param: 'email' });
  expect((await invite('ivy')).body.error).toMatchObject({ code: 'invalid_request', param: 'email' });
});
