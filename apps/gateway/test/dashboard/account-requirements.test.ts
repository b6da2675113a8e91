import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, PAY_AS_YOU_GO, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { bodyOfEveryFormat } from '../acceptance/support/formats.js';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, type PageReply, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const ELSEWHERE = '203.0.113.9';

/** A state of the account in which its requests are refused. Routes of the dashboard begin and end it. */
interface Condition {
  readonly name: string;
  readonly refusal: readonly [status: number, code: string];
  readonly begin: () => Promise<PageReply>;
  readonly end: () => Promise<PageReply>;
  readonly model?: string;
  /** Address from which the client sends. */
  readonly from?: string;
}

let running: TestGateway;
let operator: TestBrowser;
let owner: TestBrowser;
let params: { readonly id: string };
let keyParams: { readonly id: string; readonly key: string };
let secret: string;

let corrections = 0;

async function available(): Promise<string> {
  const { balance } = (await owner.call(contract.account)).body as unknown as { readonly balance: { readonly available: { readonly svc_tokens: string } } };
  return balance.available.svc_tokens;
}

function correct(amount: string): Promise<PageReply> {
  return operator.call(contract.correctBalance, { params, body: { svc_tokens: amount, reference: `correction ${corrections += 1}`, reason: 'test' } });
}

const NOTHING = (): Promise<PageReply> => owner.call(contract.me);

const CONDITIONS: readonly Condition[] = [
  {
    name: 'a suspended account', refusal: [403, 'account_inactive'],
    begin: () => operator.call(contract.suspendAccount, { params, body: { reason: 'test' } }), end: () => operator.call(contract.reactivateAccount, { params }),
  },
  {
    name: 'an account about to be deleted', refusal: [403, 'account_inactive'],
    begin: () => owner.call(contract.requestDeletion), end: () => owner.call(contract.cancelDeletion),
  },
  {
    name: 'an account on the blocklist', refusal: [403, 'account_blocked'],
    begin: () => operator.call(contract.blockAccount, { params }), end: () => operator.call(contract.unblockAccount, { params }),
  },
  {
    name: 'a key on the blocklist', refusal: [403, 'api_key_blocked'],
    begin: () => operator.call(contract.blockKey, { params: keyParams }), end: () => operator.call(contract.unblockKey, { params: keyParams }),
  },
  {
    name: 'a network on the blocklist', refusal: [403, 'ip_blocked'], from: ELSEWHERE,
    begin: () => operator.call(contract.block, { body: { kind: 'network', subject: '203.0.113.0/24' } }), end: () => operator.call(contract.unblock, { params: { id: '203.0.113.0/24' } }),
  },
  {
    name: 'a balance below the minimum', refusal: [402, 'insufficient_balance'],
    begin: async () => correct(`-${await available()}`), end: () => correct('10'),
  },
  { name: 'a model outside the plan', refusal: [403, 'model_not_in_plan'], model: 'other-plan', begin: NOTHING, end: NOTHING },
  {
    name: 'maintenance', refusal: [503, 'maintenance_mode'],
    begin: () => operator.call(contract.setMaintenance, { body: { state: 'on' } }), end: () => operator.call(contract.setMaintenance, { body: { state: 'off' } }),
  },
];

const FORMATS = [['chat', '/v1/chat/completions'], ['messages', '/v1/messages'], ['responses', '/v1/responses']] as const;

async function ask(path: string, key: string, { model = 'small', from = '198.51.100.1' }: Partial<Condition> = {}) {
  const headers = { 'authorization': `Bearer ${key}`, 'x-forwarded-for': from };
  const reply = await running.post(path, { model, ...bodyOfEveryFormat('Hi', 10) }, headers);
  const { type, error } = await reply.json() as { readonly type?: string; readonly error?: { readonly code: string } };
  return { status: reply.status, code: error?.code, type };
}

async function signedIn(name: string, role: 'owner' | 'operator'): Promise<TestBrowser> {
  const { person, password } = await addPerson(running.gateway, `${name}@example.com`, role);
  const browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  return browser;
}

beforeAll(async () => {
  running = await startTestGateway({ settings: { trustedProxies: ['127.0.0.0/8'] }, services: ({ store }) => ({ platform: store.platform }) });
  [operator, owner] = [await signedIn('boss', 'operator'), await signedIn('ann', 'owner')];
  params = { id: textOf(await owner.call(contract.account), 'id') };
  await operator.call(contract.changeAccount, { params, body: { plan: running.caller.account.planId } });
  await operator.call(contract.creditAccount, { params, body: { svc_tokens: '10', reference: 'first', reason: 'test' } });
  const key = await owner.call(contract.createKey, { body: {} });
  [keyParams, secret] = [{ ...params, key: textOf(key, 'id') }, textOf(key, 'secret')];
});
afterAll(() => running.close());

describe.each(FORMATS)('in the %s format', (format, path) => {
  it.each(CONDITIONS)('$name causes the refusal $refusal; once it is over, requests are served', async (condition) => {
    const { refusal: [status, code], begin, end, ...request } = condition;
    expect((await begin()).status).toBeLessThan(300);
    const refused = await ask(path, secret, request);
    expect((await end()).status).toBeLessThan(300);
    expect(refused).toEqual({ status, code, type: format === 'messages' ? 'error' : undefined });
    expect((await ask(path, secret, { ...request, model: 'small' })).status).toBe(200);
  });

  it('an account with an unverified address is refused until the address is verified', async () => {
    const { accountAdministration, keyManagement } = running.gateway;
    const created = await accountAdministration.create({ email: `${format}@example.com`, name: 'New', planId: running.caller.account.planId, emailVerified: false, actor: SYSTEM_ACTOR });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    const id: AccountId = created.account.id;
    await accountAdministration.credit({ accountId: id, amount: ServiceTokens.parse('10'), reference: 'first', actor: SYSTEM_ACTOR });
    const plan = running.parts.catalogue.current().planInForce(PAY_AS_YOU_GO);
    const made = await keyManagement.create({ accountId: id, plan, name: null, expiresAt: null, actor: SYSTEM_ACTOR });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const key = made.issued.secret.reveal();
    expect(await ask(path, key)).toMatchObject({ status: 403, code: 'email_not_verified' });
    expect((await operator.call(contract.verifyAccount, { params: { id } })).status).toBe(200);
    expect((await ask(path, key)).status).toBe(200);
  });
});

it.each(FORMATS)('a key that was rotated or revoked is refused in the %s format', async (_format, path) => {
  const first = await owner.call(contract.createKey, { body: {} });
  const second = await owner.call(contract.rotateKey, { params: { id: textOf(first, 'id') } });
  expect([(await ask(path, textOf(first, 'secret'))).code, (await ask(path, textOf(second, 'secret'))).status]).toEqual(['invalid_api_key', 200]);
  await owner.call(contract.revokeKey, { params: { id: textOf(second, 'id') } });
  expect(await ask(path, textOf(second, 'secret'))).toMatchObject({ status: 401, code: 'invalid_api_key' });
});
