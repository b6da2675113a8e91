import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type RequestQueryOf } from '@tollgate/api-contract';
import { type AccountId, type ApiKeyId, later, MILLISECONDS_PER_DAY, type ModelSlug } from '@tollgate/core';
import { aServedModel, anEnding, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addSignedIn, type TestBrowser } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let ann: TestBrowser;
let annAccount: AccountId;
let bobAccount: AccountId;
let operator: TestBrowser;

function served(charge: number, days: number, model: string) {
  return anEnding(charge, { endedAt: later(STORE_NOON, days * MILLISECONDS_PER_DAY), service: aServedModel({ servedBy: model as ModelSlug }) });
}

/** Books requests on Wednesday, 18 November, on the Sunday before and in October. The last request is of another account. */
async function serve(): Promise<void> {
  const driver = new StoreDriver(running.parts.store);
  for (const accountId of [annAccount, bobAccount]) await driver.credit('1000', accountId);
  const own = { accountId: annAccount, keyId: 'key_1' as ApiKeyId };
  await driver.serve(1, served(10, 0, 'small'), own);
  await driver.serve(2, served(20, 0, 'large'), { ...own, attribution: 'zoe' });
  await driver.serve(3, served(5, -3, 'large'), { ...own, keyId: 'key_2' as ApiKeyId });
  await driver.serve(4, served(1, -18, 'tiny'), own);
  await driver.serve(5, served(500, 0, 'large'), { accountId: bobAccount });
}

interface Slice { readonly period: string | null; readonly group: string | null; readonly is_other: boolean; readonly groups: number; readonly svc_tokens_debited: string }

function shown(slices: unknown): readonly string[] {
  return (slices as readonly Slice[]).map(({ period, group, is_other: isOther, groups, svc_tokens_debited: charged }) => (
    `${period ?? '-'} ${isOther ? `other(${groups})` : group ?? 'none'} ${charged}`));
}

async function summary(query: RequestQueryOf<typeof contract.usageSummary>) {
  const { status, body } = await ann.call(contract.usageSummary, { query });
  expect(status).toBe(200);
  return body;
}

beforeAll(async () => {
  running = await startTestGateway();
  ({ browser: ann, accountId: annAccount } = await addSignedIn(running.gateway, 'ann@example.com'));
  ({ accountId: bobAccount } = await addSignedIn(running.gateway, 'bob@example.com'));
  ({ browser: operator } = await addSignedIn(running.gateway, 'olga@example.com', 'operator'));
  await serve();
});
afterAll(() => running.close());

describe('the summary of an owner', () => {
  it('is grouped by period and model, with series, a total and all fields', async () => {
    const body = await summary({ group_by: 'week,model', top: 1 });
    expect(body).toMatchObject({
      object: 'usage_summary', start: '2026-10-20T00:00:00.000Z', end: '2026-11-19T00:00:00.000Z', group_by: ['week', 'model'], as_of: null,
      total: { requests: 4, prompt_tokens: 0, output_tokens: 36, reasoning_tokens: 0, svc_tokens_debited: '36', svc_cost_usd: '0.36' },
    });
    expect(shown(body['data'])).toEqual(['2026-10-26 other(1) 1', '2026-11-09 large 5', '2026-11-16 large 20', '2026-11-16 other(1) 10']);
    expect(shown(body['series'])).toEqual(['- large 25', '- other(2) 11']);
  });

  it.each<[RequestQueryOf<typeof contract.usageSummary>, readonly string[]]>([
    [{}, ['2026-10-31 none 1', '2026-11-15 none 5', '2026-11-18 none 30']],
    [{ group_by: 'month' }, ['2026-10 none 1', '2026-11 none 35']],
    [{ group_by: 'model' }, ['- large 25', '- small 10', '- tiny 1']],
    [{ group_by: 'key', top: 1 }, ['- key_1 31', '- other(1) 5']],
    [{ group_by: 'user' }, ['- zoe 20', '- none 16']],
    [{ group_by: 'key,month', model: 'large' }, ['2026-11 key_1 20', '2026-11 key_2 5']],
    [{ group_by: 'model', key_id: 'key_2' }, ['- large 5']],
    [{ group_by: 'day', start: '2026-11-15', end: '2026-11-16T00:00:01Z' }, ['2026-11-15 none 5']],
  ])('has the expected buckets for the query %j', async (query, expected) => {
    const body = await summary(query);
    expect(shown(body['data'])).toEqual(expected);
  });

  it.each([
    ['group_by=hour', 'group_by', 'day, week or month'], ['group_by=model,key', 'group_by', 'day, week or month'], ['group_by=', 'group_by', 'day, week or month'],
    ['group_by=day,user', 'group_by', 'user alone'], ['group_by=user&model=large', 'group_by', 'user alone'], ['group_by=user&key_id=key_1', 'group_by', 'user alone'],
    ['top=0', 'top', ''], ['top=21', 'top', ''], ['top=two', 'top', ''], ['key_id=1', 'key_id', ''], ['account=acct_1', 'account', ''],
    ['start=2025-11-18&end=2026-11-20', 'start', 'at most 366 days before end'], ['start=2026-11-19&end=2026-11-19', 'end', 'later than start'],
    ['start=2025-12-01&end=2026-11-30&group_by=day,model', 'group_by', 'up to 2184 buckets, and at most 2000 are allowed'],
    ['start=2026-08-01&end=2026-11-30&group_by=day,key&top=20', 'group_by', 'up to 2541 buckets'],
  ])('is refused for %s, naming the parameter', async (query, param, words) => {
    const { status, body } = await ann.send({ method: 'GET', path: `/dashboard/api/usage/summary?${query}` });
    expect([status, body.error?.code, body.error?.param]).toEqual([400, 'invalid_request', param]);
    expect(body.error?.message).toContain(words);
  });

  it('has no series if it is grouped by one dimension', async () => {
    for (const grouping of ['day', 'model']) expect((await summary({ group_by: grouping }))['series']).toEqual([]);
  });

  it('covers a whole year by week', async () => {
    const body = await summary({ start: '2025-11-19', end: '2026-11-19', group_by: 'week,model', top: 20 });
    expect(shown(body['data'])).toHaveLength(4);
  });
});

describe('the summary of all accounts', () => {
  async function allSummary(query: RequestQueryOf<typeof contract.allUsageSummary>) {
    const { status, body } = await operator.call(contract.allUsageSummary, { query });
    expect(status).toBe(200);
    return body;
  }

  it('states its cut-off time, and includes new usage a minute later', async () => {
    const first = await allSummary({ group_by: 'month,account', top: 1 });
    expect(first).toMatchObject({ group_by: ['month', 'account'], as_of: '2026-11-18T12:00:00.000Z', total: { requests: 5, svc_tokens_debited: '536' } });
    expect(shown(first['data'])).toEqual(['2026-10 other(1) 1', `2026-11 ${bobAccount} 500`, '2026-11 other(1) 35']);
    expect(shown(first['series'])).toEqual([`- ${bobAccount} 500`, '- other(1) 36']);
    await new StoreDriver(running.parts.store).serve(6, served(4, 0, 'small'), { accountId: bobAccount });
    expect((await allSummary({}))['total']).toMatchObject({ requests: 5 });
    running.clock.advance(60_000);
    expect(await allSummary({})).toMatchObject({ as_of: '2026-11-18T12:01:00.000Z', total: { requests: 6, svc_tokens_debited: '540' } });
  });

  it.each<[RequestQueryOf<typeof contract.allUsageSummary>, readonly string[]]>([
    [{ group_by: 'model' }, ['- large 525', '- small 14', '- tiny 1']],
    [{ group_by: 'week,model', model: 'large' }, ['2026-11-09 large 5', '2026-11-16 large 520']],
    [{ start: '2026-11-15', end: '2026-11-16' }, ['2026-11-15 none 5']],
  ])('has the expected buckets for the query %j', async (query, expected) => {
    expect(shown((await allSummary(query))['data'])).toEqual(expected);
  });

  it('of one account equals the owner’s summary', async () => {
    for (const query of [{ group_by: 'week,key' }, { group_by: 'user' }, { group_by: 'model', key_id: 'key_2', top: 3 }]) {
      const { text } = await operator.call(contract.allUsageSummary, { query: { ...query, account: annAccount } });
      expect(text).toBe((await ann.call(contract.usageSummary, { query })).text);
    }
  });

  it.each([
    ['group_by=key', 'group_by', 'require account'], ['group_by=user', 'group_by', 'require account'], ['group_by=model,account', 'group_by', 'day, week or month'],
    ['group_by=account&model=large', 'model', 'left out when grouping by account'], ['key_id=key_1', 'key_id', 'given with account'],
    ['group_by=account&account=acct_1', 'group_by', 'day, week or month'], ['account=1', 'account', ''],
    ['start=2025-12-01&end=2026-11-30&group_by=day,account', 'group_by', 'up to 2184 buckets'],
  ])('is refused for %s, naming the parameter', async (query, param, words) => {
    const { status, body } = await operator.send({ method: 'GET', path: `/dashboard/api/operator/usage/summary?${query}` });
    expect([status, body.error?.code, body.error?.param]).toEqual([400, 'invalid_request', param]);
    expect(body.error?.message).toContain(words);
  });

  it('is refused to an owner with 404', async () => {
    expect((await ann.call(contract.allUsageSummary)).status).toBe(404);
  });
});
