import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@tollgate/api-contract';
import { PAGE_SIZES, type AccountId, type ApiKeyId, invariant, type JsonObject, later, NO_USAGE_FILTERS, SYSTEM_ACTOR, TOKEN_CLASSES, type UsageReport } from '@tollgate/core';
import { anEnding, requestId, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { encodeAccountUsageRecord, encodeOperatorUsageRecord, usageExportForm } from '@tollgate/wire-kit';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addSignedIn, type TestBrowser } from '../../src/test-support/test-browser.js';
import { aPlan } from '../../src/test-support/test-catalogue.js';

let running: TestGateway;
let annKey: string;
let ann: TestBrowser;
let bob: TestBrowser;
let operator: TestBrowser;
let annAccount: AccountId;
let bobAccount: AccountId;

/** Books four requests: three of Ann, one of which is in the future, and one of Bob. */
async function serve(): Promise<void> {
  const driver = new StoreDriver(running.parts.store);
  for (const accountId of [annAccount, bobAccount]) await driver.credit('1000', accountId);
  const keyId = 'key_bobs' as ApiKeyId;
  await driver.serve(1, anEnding(10, { endedAt: later(STORE_NOON, -3000) }), { accountId: annAccount, attribution: '=SUM(A1)' });
  await driver.serve(2, anEnding(20, { endedAt: later(STORE_NOON, -2000) }), { accountId: bobAccount, keyId });
  await driver.serve(3, anEnding(30, { endedAt: later(STORE_NOON, -1000) }), { accountId: annAccount });
  await driver.serve(4, anEnding(40, { endedAt: later(STORE_NOON, 5000) }), { accountId: annAccount });
}

async function recordsOf(...numbers: readonly number[]): Promise<readonly UsageReport[]> {
  const page = await running.parts.store.usage.list({ ...NO_USAGE_FILTERS, accountId: annAccount, limit: 100, cursor: null });
  const others = await running.parts.store.usage.list({ ...NO_USAGE_FILTERS, accountId: bobAccount, limit: 100, cursor: null });
  const all = [...page?.records ?? [], ...others?.records ?? []];
  return numbers.map((number) => {
    const record = all.find((each) => each.requestId === requestId(number));
    invariant(record !== undefined, 'the request was served');
    return record;
  });
}

const idsOf = (body: JsonObject): readonly string[] => (body['data'] as readonly { readonly id: string }[]).map(({ id }) => id);

const cursorOf = (body: JsonObject): string => body['next_cursor'] as string;

beforeAll(async () => {
  running = await startTestGateway();
  ({ browser: ann, accountId: annAccount } = await addSignedIn(running.gateway, 'ann@example.com'));
  ({ browser: bob, accountId: bobAccount } = await addSignedIn(running.gateway, 'bob@example.com'));
  ({ browser: operator } = await addSignedIn(running.gateway, 'olga@example.com', 'operator'));
  const made = await running.gateway.keyManagement.create({ accountId: annAccount, plan: aPlan(), name: 'ci', expiresAt: null, actor: SYSTEM_ACTOR });
  invariant(made.outcome === 'created', 'Ann has no other key');
  annKey = made.issued.secret.reveal();
  await serve();
});
afterAll(() => running.close());

describe('an owner', () => {
  it.each(['/usage?limit=2', '/usage?limit=2&min_charge=20&end_reason=completed', '/usage/req_1'])(
    'reads %s in the same bytes as with a key of the account', async (path) => {
      const [page, api] = await Promise.all([
        ann.send({ method: 'GET', path: `/dashboard/api${path}` }),
        running.fetch(`/v1${path}`, { headers: { authorization: `Bearer ${annKey}` } }),
      ]);
      expect([page.status, page.headers['cache-control'], page.text]).toEqual([200, 'no-store', await api.text()]);
    });

  it('lists usage records in pages, and reads a single record with its charge explained', async () => {
    const first = await ann.call(contract.listUsage, { query: { limit: 2 } });
    expect([idsOf(first.body), first.body['has_more']]).toEqual([['req_4', 'req_3'], true]);
    const next = await ann.call(contract.listUsage, { query: { limit: 2, cursor: cursorOf(first.body) } });
    expect([idsOf(next.body), next.body['has_more']]).toEqual([['req_1'], false]);
    const { body } = await ann.call(contract.readUsage, { params: { request_id: 'req_1' } });
    expect(body).toMatchObject({ reserved: '0', charge: { debited: '10', lines: TOKEN_CLASSES.map(({ name }) => ({ token_class: name, tokens: name === 'output' ? 10 : 0 })) }, ledger: [{ kind: 'charge', amount: '10', at: body['ended_at'] }] });
    expect('upstream' in body).toBe(false);
  });

  it('cannot see requests of another account', async () => {
    const [theirs, unknown] = await Promise.all(['req_2', 'req_9'].map((id) => ann.call(contract.readUsage, { params: { request_id: id } })));
    expect([theirs?.status, theirs?.body.error?.message]).toEqual([404, unknown?.body.error?.message]);
    expect(idsOf((await ann.call(contract.listUsage, { query: { key_id: 'key_bobs' } })).body)).toEqual([]);
    const bobs = await bob.call(contract.listUsage, { query: { limit: 1 } });
    expect(idsOf(bobs.body)).toEqual(['req_2']);
    const page = await ann.call(contract.listUsage, { query: { limit: 1 } });
    expect((await bob.call(contract.listUsage, { query: { cursor: cursorOf(page.body) } })).body.error).toMatchObject({ code: 'invalid_request', param: 'cursor' });
  });

  it.each([
    ['account=acct_1', 'account'], ['limit=0', 'limit'], [`limit=${PAGE_SIZES.usage.dashboard.most + 1}`, 'limit'], ['start=yesterday', 'start'], ['min_charge=-1', 'min_charge'],
    ['end_reason=done', 'end_reason'], ['key_id=1', 'key_id'], [`cursor=${'x'.repeat(201)}`, 'cursor'], ['limit=1&limit=2', 'limit'],
  ])('is refused %s, and the parameter is named', async (query, param) => {
    const { status, body } = await ann.send({ method: 'GET', path: `/dashboard/api/usage?${query}` });
    expect([status, body.error?.code, body.error?.param]).toEqual([400, 'invalid_request', param]);
  });

  it('downloads the records of all ended requests as CSV, in a file named after the period', async () => {
    const { head, line } = usageExportForm('csv', { reader: 'owner', bom: true });
    const reply = await ann.call(contract.exportUsage, { query: { start: '2026-11-01', format: 'csv' } });
    expect([reply.status, reply.text]).toEqual([200, head + (await recordsOf(3, 1)).map(line).join('')]);
    expect(reply.text.startsWith('\uFEFFrequest_id,')).toBe(true);
    const bare = await ann.call(contract.exportUsage, { query: { start: '2026-11-01', format: 'csv', bom: '0' } });
    expect(bare.text).toBe(reply.text.slice(1));
    expect(reply.text).toContain(",'=SUM(A1),");
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present', 'cache-control': 'no-store',
      'content-disposition': 'attachment; filename="usage_2026-11-01_2026-11-18T120000Z.csv"',
    });
  });

  it('downloads NDJSON whose lines are the records of the list', async () => {
    const reply = await ann.call(contract.exportUsage, { query: { format: 'ndjson', end: '2026-11-18T12:00:10Z', min_charge: '20' } });
    expect(reply.text).toBe((await recordsOf(3)).map((record) => `${JSON.stringify(encodeAccountUsageRecord(record))}\n`).join(''));
    expect(reply.headers['content-disposition']).toBe('attachment; filename="usage_until_2026-11-18T120010Z.ndjson"');
    const head = await ann.send({ method: 'HEAD', path: '/dashboard/api/usage/export?format=ndjson' });
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'application/x-ndjson; charset=utf-8', '']);
  });

  it('cannot export in an unknown format or with an invalid parameter', async () => {
    for (const [query, param] of [['format=xml', 'format'], ['bom=no', 'bom'], ['end=never', 'end']]) {
      const { status, body } = await ann.send({ method: 'GET', path: `/dashboard/api/usage/export?${query}` });
      expect([status, body.error?.param]).toEqual([400, param]);
    }
  });
});

describe('an operator', () => {
  it('reads the records of one account or of all, each with its account', async () => {
    const all = await operator.call(contract.listAllUsage);
    expect(all.body['data']).toEqual((await recordsOf(4, 3, 2, 1)).map((record) => JSON.parse(JSON.stringify(encodeOperatorUsageRecord(record))) as JsonObject));
    expect(idsOf((await operator.call(contract.listAllUsage, { query: { account: bobAccount } })).body)).toEqual(['req_2']);
    expect(idsOf((await operator.call(contract.listAllUsage, { query: { user: '=SUM(A1)' } })).body)).toEqual(['req_1']);
    const first = await operator.call(contract.listAllUsage, { query: { limit: 3 } });
    expect(idsOf((await operator.call(contract.listAllUsage, { query: { cursor: cursorOf(first.body) } })).body)).toEqual(['req_1']);
  });

  it('reads any record with its charge explained', async () => {
    const { body } = await operator.call(contract.readAnyUsage, { params: { request_id: 'req_2' } });
    expect(body).toMatchObject({ account_id: bobAccount, upstream: 'scripted', charge: { debited: '20' }, ledger: [{ kind: 'charge', amount: '20' }] });
    expect((await operator.call(contract.readAnyUsage, { params: { request_id: 'req_9' } })).status).toBe(404);
  });

  it('downloads the records of all accounts or of one', async () => {
    const { head, line } = usageExportForm('csv', { reader: 'operator', bom: true });
    const all = await operator.call(contract.exportAllUsage, { query: { start: '2026-11-18', end: '2026-11-19' } });
    expect(all.text).toBe(head + (await recordsOf(3, 2, 1)).map(line).join(''));
    expect(all.headers['content-disposition']).toBe('attachment; filename="usage_2026-11-18_2026-11-19.csv"');
    const one = await operator.call(contract.exportAllUsage, { query: { account: bobAccount } });
    expect(one.text).toBe(head + (await recordsOf(2)).map(line).join(''));
    const audited = (await running.trail()).filter(({ action }) => action === 'usage.exported').map(({ subject, accountId, details }) => [subject, accountId, details]);
    expect(audited).toEqual([
      ['all', null, { format: 'csv', from: '2026-11-18T00:00:00.000Z', to: '2026-11-19T00:00:00.000Z' }],
      [bobAccount, null, { format: 'csv', from: null, to: null }],
    ]);
  });
});

