import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { type AccountId, type JsonObject, ServiceTokens, SYSTEM_ACTOR } from '@tollgate/core';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addPerson, TestBrowser, textOf } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let browser: TestBrowser;
let accountId: AccountId;

beforeAll(async () => {
  running = await startTestGateway();
  const { person, password } = await addPerson(running.gateway, 'ann@example.com');
  browser = new TestBrowser(running.gateway);
  await browser.call(contract.signIn, { body: { email: person.email, password } });
  accountId = textOf(await browser.call(contract.account), 'id') as AccountId;
});
afterAll(() => running.close());

async function book(of: AccountId, { amount, reference, kind }: { readonly amount: string; readonly reference: string; readonly kind: 'top-up' | 'correction' }): Promise<void> {
  const act = { accountId: of, amount: ServiceTokens.parse(amount), reference, reason: `Because of ${reference}`, actor: SYSTEM_ACTOR } as const;
  await running.gateway.accountAdministration.book(kind === 'top-up' ? { ...act, kind } : { ...act, kind, direction: 'lower' });
}

interface ShownPage {
  readonly data: readonly JsonObject[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

async function shownActs(query: JsonObject = {}): Promise<ShownPage> {
  return (await browser.call(contract.listOwnMoneyActs, { query })).body as unknown as ShownPage;
}

it('owners see every booking of their account with reference and reason, newest first, and none of other accounts', async () => {
  expect(await shownActs()).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  await book(accountId, { kind: 'top-up', amount: '10', reference: 'order-1' });
  await book(accountId, { kind: 'correction', amount: '2.5', reference: 'fix-1' });
  await book(running.caller.account.id, { kind: 'top-up', amount: '7', reference: 'of-another' });
  const { data } = await shownActs();
  expect(data).toEqual([
    { object: 'money_act', kind: 'correction', svc_tokens: '-2.5', request_id: null, reference: 'fix-1', reason: 'Because of fix-1', at: expect.any(String) },
    { object: 'money_act', kind: 'top-up', svc_tokens: '10', request_id: null, reference: 'order-1', reason: 'Because of order-1', at: expect.any(String) },
  ]);
});

it('each page of bookings continues where the previous one ended', async () => {
  const first = await shownActs({ limit: '1' });
  expect(first.has_more).toBe(true);
  const second = await shownActs({ limit: '1', cursor: first.next_cursor });
  expect([second.has_more, second.data[0]?.['reference']]).toEqual([false, 'order-1']);
  expect((await browser.call(contract.listOwnMoneyActs, { query: { cursor: 'x' } })).body).toMatchObject({ error: { code: 'invalid_request', param: 'cursor' } });
});
