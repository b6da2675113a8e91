import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, instant, MILLISECONDS_PER_HOUR, ProviderFailure, rfc3339 } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 };

let running: TestGateway;
let owner: TestBrowser;
let operator: TestBrowser;
let accountId: AccountId;
let key: string;

async function ask(body: object = CHAT): Promise<number> {
  return (await running.post('/v1/chat/completions', body, { authorization: `Bearer ${key}` })).status;
}

async function refusals(): Promise<unknown> {
  return (await owner.call(contract.overview)).body['refusals'];
}

beforeAll(async () => {
  running = await startTestGateway();
  const people = [await addPerson(running.gateway, 'ada@example.com'), await addPerson(running.gateway, 'op@example.com', 'operator')] as const;
  [owner, operator] = [new TestBrowser(running.gateway), new TestBrowser(running.gateway)];
  await owner.call(contract.signIn, { body: { email: 'ada@example.com', password: people[0].password } });
  await operator.call(contract.signIn, { body: { email: 'op@example.com', password: people[1].password } });
  accountId = textOf(await owner.call(contract.account), 'id') as AccountId;
  key = textOf(await owner.call(contract.createKey, { body: {} }), 'secret');
});
afterAll(() => running.close());

it('refusals are counted per account and code, and shown to the owner and to operators', async () => {
  expect([await ask(), await ask(), await ask({ ...CHAT, model: 'ghost' })]).toEqual([402, 402, 404]);
  const counted = { since: '2026-11-18T12:00:00.000Z', counts: [{ code: 'insufficient_balance', count: 2 }, { code: 'model_not_found', count: 1 }] };
  expect(await refusals()).toEqual(counted);
  expect((await operator.call(contract.readAccount, { params: { id: accountId } })).body['refusals']).toEqual(counted);
  expect((await operator.call(contract.overview)).body['refusals']).toMatchObject({ counts: [] });
});

it('refusals are counted even while the account is blocked', async () => {
  await operator.call(contract.block, { body: { kind: 'account', subject: accountId } });
  expect(await ask()).toBe(403);
  await operator.call(contract.unblock, { params: { id: accountId } });
  expect(await refusals()).toMatchObject({ counts: [{}, { code: 'account_blocked', count: 1 }, {}] });
});

it('counts of refusals include neither served requests nor refusals older than a day', async () => {
  await operator.call(contract.creditAccount, { params: { id: accountId }, body: { svc_tokens: '100', reference: 'first', reason: 'a test' } });
  running.clock.advance(24 * MILLISECONDS_PER_HOUR);
  await operator.call(contract.signIn, { body: { email: 'op@example.com', password: 'correct horse' } });
  await owner.call(contract.signIn, { body: { email: 'ada@example.com', password: 'correct horse' } });
  expect(await refusals()).toEqual({ since: rfc3339(instant(Date.UTC(2026, 10, 18, 13))), counts: [] });
  expect(await ask()).toBe(200);
  running.provider.script('small', { refuses: new ProviderFailure('unavailable', 'away'), steps: [] });
  expect(await ask()).toBe(503);
  expect(await refusals()).toMatchObject({ counts: [] });
});
