import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type RequestQueryOf } from '@tollgate/api-contract';
import { type AccountId, type ApiKeyId, type Instant, later, MILLISECONDS_PER_DAY, type ModelSlug } from '@tollgate/core';
import { aServedModel, anEnding, STORE_NOON, StoreDriver } from '@tollgate/testkit';
import { startTestGateway, type TestGateway } from '../../src/test-support/start-test-gateway.js';
import { addSignedIn, type TestBrowser } from '../../src/test-support/test-browser.js';

let running: TestGateway;
let ann: TestBrowser;
let annAccount: AccountId;
let operator: TestBrowser;

beforeAll(async () => {
  running = await startTestGateway();
  ({ browser: ann, accountId: annAccount } = await addSignedIn(running.gateway, 'ann@example.com'));
  const { accountId: bobAccount } = await addSignedIn(running.gateway, 'bob@example.com');
  ({ browser: operator } = await addSignedIn(running.gateway, 'olga@example.com', 'operator'));
  const driver = new StoreDriver(running.parts.store);
  for (const accountId of [annAccount, bobAccount]) await driver.credit('1000', accountId);
  const serve = (number: number, days: number, milliseconds: number | null, facts: { readonly accountId: AccountId; readonly keyId?: ApiKeyId }, model = 'small') => {
    const startedAt: Instant = later(STORE_NOON, days * MILLISECONDS_PER_DAY);
    const ending = anEnding(1, { endedAt: later(startedAt, 60_000), firstOutputAt: milliseconds === null ? null : later(startedAt, milliseconds), service: aServedModel({ servedBy: model as ModelSlug }) });
    return driver.serve(number, ending, { ...facts, startedAt });
  };
  const own = { accountId: annAccount, keyId: 'key_1' as ApiKeyId };
  await serve(1, 0, 100, own);
  await serve(2, 0, 300, own, 'large');
  await serve(3, 0, null, own);
  await serve(4, -3, 200, { ...own, keyId: 'key_2' as ApiKeyId }, 'large');
  await serve(5, 0, 9000, { accountId: bobAccount });
});
afterAll(() => running.close());

describe('the times to the first token of an account', () => {
  async function times(query: RequestQueryOf<typeof contract.firstTokenSummary>) {
    const { status, body } = await ann.call(contract.firstTokenSummary, { query });
    expect(status).toBe(200);
    return body;
  }

  it('are given by day and by model, with all fields', async () => {
    expect(await times({})).toEqual({
      object: 'first_token_summary', start: '2026-10-20T00:00:00.000Z', end: '2026-11-19T00:00:00.000Z', by: 'day', is_sampled: false, total: { requests: 3, p50: 200, p95: 300 },
      data: [{ period: '2026-11-15', requests: 1, p50: 200, p95: 200 }, { period: '2026-11-18', requests: 2, p50: 100, p95: 300 }],
      models: [{ model: 'large', requests: 2, p50: 200, p95: 300 }, { model: 'small', requests: 1, p50: 100, p95: 100 }],
    });
  });

  it.each<[RequestQueryOf<typeof contract.firstTokenSummary>, unknown]>([
    [{ by: 'month' }, [{ period: '2026-11', requests: 3, p50: 200, p95: 300 }]],
    [{ by: 'week', model: 'large' }, [{ period: '2026-11-09', requests: 1, p50: 200, p95: 200 }, { period: '2026-11-16', requests: 1, p50: 300, p95: 300 }]],
    [{ key_id: 'key_2' }, [{ period: '2026-11-15', requests: 1, p50: 200, p95: 200 }]],
    [{ start: '2026-11-16', end: '2026-11-17' }, []],
  ])('for %j have the expected periods', async (query, expected) => {
    expect((await times(query))['data']).toEqual(expected);
  });

  it.each([['by=hour', 'by'], ['start=2025-11-18&end=2026-11-20', 'start'], ['key_id=1', 'key_id'], ['account=acct_1', 'account']])('are refused for %s, and the parameter is named', async (query, param) => {
    const { status, body } = await ann.send({ method: 'GET', path: `/dashboard/api/usage/first-token?${query}` });
    expect([status, body.error?.param]).toEqual([400, param]);
  });
});

describe('the times to the first token of all accounts', () => {
  it('cover every account, or one account', async () => {
    const [all, one] = [await operator.call(contract.allFirstTokenSummary), await operator.call(contract.allFirstTokenSummary, { query: { account: annAccount } })];
    expect(all.body['total']).toEqual({ requests: 4, p50: 200, p95: 9000 });
    expect(one.text).toBe((await ann.call(contract.firstTokenSummary)).text);
  });

  it('are refused to an owner with 404', async () => {
    expect((await ann.call(contract.allFirstTokenSummary)).status).toBe(404);
  });
});
