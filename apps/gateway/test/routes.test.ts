import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { instant, MILLISECONDS_PER_DAY, PAGE_SIZES, PROMPT_COUNTS, SYSTEM_ACTOR, TOKEN_CLASSES, TOKEN_RATES } from '@tollgate/core';
import { bodyOfEveryFormat, COUNTING_PATHS } from './acceptance/support/formats.js';
import { LEASE_RENEWAL_MILLISECONDS } from '../src/background/lease-keeper.js';
import { startTestGateway, type TestCaller, type TestGateway } from '../src/test-support/start-test-gateway.js';

let gateway: TestGateway;
let other: TestCaller;
const requestIds: string[] = [];

/** Renews the lease. It has expired if the clock was set ahead by a day, as after a pause of the process. */
async function renewLease(): Promise<void> {
  gateway.clock.advance(LEASE_RENEWAL_MILLISECONDS);
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

beforeAll(async () => {
  gateway = await startTestGateway({ limits: { requestsPerMinute: 1000 } });
  other = await gateway.addCaller('other');
  const bodies = [
    { path: '/v1/chat/completions', body: { model: 'small', user: 'ann' } },
    { path: '/v1/messages', body: { model: 'makers/slashed', max_tokens: 50, metadata: { user_id: 'bob' } } },
    { path: '/v1/chat/completions', body: { model: 'mini', stream: true } },
  ];
  for (const { path, body } of bodies) {
    const reply = await gateway.post(path, { ...body, messages: [{ role: 'user', content: 'Hi there!' }] });
    requestIds.push(reply.headers.get('x-request-id') ?? '');
    await reply.text();
    gateway.clock.advance(MILLISECONDS_PER_DAY);
  }
});
afterAll(() => gateway.close());

function get(path: string, { key }: TestCaller = gateway.caller) {
  return request(gateway.url).get(path).set('x-api-key', key);
}

describe('GET /v1/models', () => {
  it('lists the plan’s models in one shape that suits all formats', async () => {
    const { status, body } = await get('/v1/models');
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'list', has_more: false, first_id: 'small', last_id: 'tiny-window' });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['small', 'halting', 'flooding', 'backed-up', 'makers/slashed', 'tiny-window']);
    expect(body.data[0]).toEqual({
      id: 'small', object: 'model', type: 'model', created: 1_795_003_200, created_at: '2026-11-18T12:00:00.000Z', owned_by: 'tests',
      display_name: 'small', aliases: ['mini', 'little-*'], context_window: 8000, max_output_tokens: 1000, reasoning: false, reasoning_assumed: false, simulated: false,
      pricing: {
        ...Object.fromEntries(TOKEN_RATES.map(({ name }) => [name, '0.001'])), unit: 'service tokens per model token', prompt: '0.001', cached_prompt: '0.0001', cache_creation: '0.0015', output: '0.002',
        usd_per_service_token: '0.001',
      },
      price_list: 'standard', price_version: 'initial', next_price: null, shutdown_date: null, successor: null,
    });
  });

  it.each([
    ['small', 'small'],
    ['mini', 'small'],
    ['little-one', 'small'],
    ['makers/slashed', 'makers/slashed'],
    ['makers%2Fslashed', 'makers/slashed'],
  ])('finds %s', async (name, slug) => {
    const { status, body } = await get(`/v1/models/${name}`);
    expect([status, body.id]).toEqual([200, slug]);
  });

  it.each([
    ['unknown', 404, 'model_not_found'],
    ['other-plan', 403, 'model_not_in_plan'],
    ['%zz', 404, 'not_found'],
  ])('answers %s with %d %s', async (name, status, code) => {
    const reply = await get(`/v1/models/${name}`);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });
});

describe('GET /v1/account', () => {
  it('shows standing, plan, balance, and limits with their use', async () => {
    const { body } = await get('/v1/account');
    expect(body).toMatchObject({
      id: gateway.caller.account.id, object: 'account', status: 'active', plan: { id: 'test', name: 'Test' },
      limits: {
        requests_per_minute: 1000, tokens_per_minute: 200_000, concurrent_requests: 4, max_context_tokens: 128_000, api_keys: 5,
        tokens_per_day: null, tokens_per_month: null, models: [],
      },
      used: { requests_this_minute: 0, tokens_this_minute: 0, tokens_today: 0, tokens_this_month: 36, api_keys: 1 },
    });
    // Three replies at 7 × 0.001 + 2 × 0.0001 + 3 × 0.002 each.
    expect(body.balance).toEqual({
      available: { svc_tokens: '999.9604', usd: '0.9999604' },
      reserved: { svc_tokens: '0', usd: '0' },
      total: { svc_tokens: '999.9604', usd: '0.9999604' },
      usd_per_service_token: '0.001',
    });
  });
});

describe('/v1/api-keys', () => {
  it('lists the account’s keys, but nothing that can be used as a key', async () => {
    const { body, text } = await get('/v1/api-keys');
    expect(body).toMatchObject({
      object: 'list',
      data: [{ id: gateway.caller.keyId, object: 'api_key', name: 'first', status: 'active', expires_at: null, revoked_at: null }],
    });
    expect(text).not.toContain(gateway.caller.key);
    expect(text).not.toContain('hash');
  });

  it.each([
    ['post', '/v1/api-keys'],
    ['patch', '/v1/api-keys/key_1'],
    ['delete', '/v1/api-keys/key_1'],
    ['post', '/v1/api-keys/key_1/rotate'],
    ['post', '/v1/api-keys/key_1/revoke'],
  ] as const)('%s %s requires a session', async (method, path) => {
    const refused = await request(gateway.url)[method](path).set('x-api-key', gateway.caller.key).send({ name: 'mine' });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'session_required']);
    const stranger = await request(gateway.url)[method](path).send({});
    expect([stranger.status, stranger.body.error.code]).toEqual([401, 'missing_api_key']);
  });
});

describe('GET /v1/usage', () => {
  it('lists records newest first, in pages', async () => {
    const first = await get('/v1/usage?limit=2');
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([requestIds[2], requestIds[1]]);
    expect(first.body.has_more).toBe(true);
    const second = await get(`/v1/usage?limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`);
    expect(second.body).toMatchObject({ data: [{ id: requestIds[0] }], has_more: false, next_cursor: null });
  });

  it('shows the request, the model that served it, its usage and its charge', async () => {
    const { body } = await get('/v1/usage?user=ann');
    expect(body.data).toEqual([{
      id: requestIds[0], object: 'usage_record', request_id: requestIds[0], key_id: gateway.caller.keyId, format: 'chat', streamed: false,
      requested_model: 'small', model: 'small', fallback_used: false, price_list: 'standard', price_version: 'initial', user: 'ann', end_reason: 'completed', usage_source: 'reported',
      started_at: '2026-11-18T12:00:00.000Z', admitted_at: '2026-11-18T12:00:00.000Z', first_output_at: '2026-11-18T12:00:00.000Z',
      ended_at: '2026-11-18T12:00:00.000Z', settled_at: '2026-11-18T12:00:00.000Z',
      usage: {
        prompt_tokens: 9, ...Object.fromEntries(PROMPT_COUNTS.map(({ name }) => [`${name}_tokens`, 0])), uncached_prompt_tokens: 7, cached_prompt_tokens: 2, output_tokens: 3, reasoning_tokens: 0, reasoning_withheld: false, reasoning_omitted: false, settings_omitted: [],
        total_tokens: 12,
      },
      reserved: '2.0135', svc_tokens_debited: '0.0132', svc_cost_usd: '0.0000132', svc_tokens_written_off: '0',
    }]);
  });

  it.each([
    ['model=small', [2, 0]],
    ['user=bob', [1]],
    ['key_id=key_1', [2, 1, 0]],
    ['key_id=key_none', []],
    ['start=2026-11-19', [2, 1]],
    ['start=2026-11-19T00:00:00Z&end=2026-11-20', [1]],
    ['end=1795046400', [0]],
    ['start=&unknown=1', [2, 1, 0]],
    [`limit=${PAGE_SIZES.usage.api.most}`, [2, 1, 0]],
    ['end_reason=completed', [2, 1, 0]],
    ['end_reason=client_left', []],
    ['min_charge=0.0132', [2, 1, 0]],
    ['min_charge=0.013201', []],
  ])('is filtered by %s', async (query, expected) => {
    const { body } = await get(`/v1/usage?${query}`);
    expect(body.data.map(({ id }: { id: string }) => requestIds.indexOf(id))).toEqual(expected);
  });

  it.each([
    ['start=yesterday', 'start'],
    ['end=2026-02-30', 'end'],
    ['start=2026-11-20&end=2026-11-19', 'end'],
    ['limit=0', 'limit'],
    [`limit=${PAGE_SIZES.usage.api.most + 1}`, 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['end_reason=done', 'end_reason'],
    ['min_charge=1e3', 'min_charge'],
    ['min_charge=-1', 'min_charge'],
    [`user=${'x'.repeat(1025)}`, 'user'],
  ])('refuses %s, and names the parameter', async (query, param) => {
    const { status, body } = await get(`/v1/usage?${query}`);
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
  });
});

describe('GET /v1/usage/summary', () => {
  it.each([
    ['', ['2026-11-18', '2026-11-19', '2026-11-20'], [1, 1, 1]],
    ['?group_by=model', ['small', 'makers/slashed'], [2, 1]],
    ['?group_by=key', ['key_1'], [3]],
    ['?start=2026-11-19&end=2026-11-20', ['2026-11-19'], [1]],
  ])('groups records as the query “%s” asks', async (query, groups, requests) => {
    const { body } = await get(`/v1/usage/summary${query}`);
    expect(body.data.map(({ group }: { group: string }) => group)).toEqual(groups);
    expect(body.data.map((bucket: { requests: number }) => bucket.requests)).toEqual(requests);
    expect(body.data[0]).toMatchObject({ svc_tokens_debited: expect.stringMatching(/^0\.\d+$/), svc_cost_usd: expect.stringMatching(/^0\.\d+$/) });
  });

  it.each([
    ['group_by=hour', 'group_by'],
    ['start=2024-01-01&end=2026-01-01', 'start'],
    ['start=2030-01-01', 'start'],
  ])('refuses %s, and names the parameter', async (query, param) => {
    const { status, body } = await get(`/v1/usage/summary?${query}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });
});

describe('GET /v1/usage/{request_id}', () => {
  it('explains the charge of one record line by line', async () => {
    const { body } = await get(`/v1/usage/${requestIds[0]}`);
    expect(body).toMatchObject({ id: requestIds[0], svc_tokens_debited: '0.0132' });
    expect(body.charge).toEqual({
      lines: TOKEN_CLASSES.map(({ name }) => ({
        token_class: name, tokens: 0, rate: '0.001', amount: '0',
        ...({ uncached_prompt: { tokens: 7, amount: '0.007' }, cached_prompt: { tokens: 2, rate: '0.0001', amount: '0.0002' }, cache_creation: { rate: '0.0015' }, output: { tokens: 3, rate: '0.002', amount: '0.006' } } as Readonly<Record<string, object>>)[name],
      })),
      sum: '0.0132', rounding: '0', rounding_rule: 'up, once, to 6 decimal places', computed: '0.0132', written_off: '0', debited: '0.0132',
      usd_per_service_token: '0.001', usd: '0.0000132', purchase: null,
    });
  });
});

describe('a caller of a second account', () => {
  /** A reply without its request id and date. */
  function comparable({ status, body, headers }: request.Response) {
    const { 'x-request-id': requestId, 'request-id': sameId, date, ...rest } = headers as Record<string, string>;
    expect([requestId, date]).not.toContain(undefined);
    return { status, rest, sameId: sameId === requestId, body: JSON.parse(JSON.stringify(body).replaceAll(requestId ?? '', 'ID')) as unknown };
  }

  it('gets for a record of the first account the same reply as for an unknown one', async () => {
    const [theirs, nobodys] = await Promise.all([get(`/v1/usage/${requestIds[0]}`, other), get('/v1/usage/req_0', other)]);
    expect(theirs.status).toBe(404);
    expect(comparable(theirs)).toEqual(comparable(nobodys));
  });

  it('sees nothing of the first account in lists, summaries, keys and balance', async () => {
    const [usage, summary, keys, account] = await Promise.all(['/v1/usage', '/v1/usage/summary', '/v1/api-keys', '/v1/account'].map((path) => get(path, other)));
    expect(usage?.body.data).toEqual([]);
    expect(summary?.body.data).toEqual([]);
    expect(keys?.body.data).toMatchObject([{ id: other.keyId }]);
    expect(account?.body).toMatchObject({ id: other.account.id, balance: { total: { svc_tokens: '1000' } }, used: { tokens_this_month: 0 } });
  });

  it('cannot use a cursor of the first account', async () => {
    const { body } = await get('/v1/usage?limit=1');
    const stolen = await get(`/v1/usage?limit=1&cursor=${encodeURIComponent(body.next_cursor)}`, other);
    expect([stolen.status, stolen.body.error?.param]).toEqual([400, 'cursor']);
  });
});

describe('API keys', () => {
  it.each([
    ['two different keys', { authorization: `Bearer sk-${'a'.repeat(48)}`, 'x-api-key': `sk-${'b'.repeat(48)}` }],
    ['another scheme', { authorization: 'Basic c2s=' }],
    ['an unknown key', { 'x-api-key': `sk-${'a'.repeat(48)}` }],
    ['a malformed key', { 'x-api-key': 'sk-' }],
  ])('are refused as invalid: %s', async (_, headers) => {
    const { status, body } = await request(gateway.url).get('/v1/models').set(headers);
    expect([status, body.error.code]).toEqual([401, 'invalid_api_key']);
  });

  it('work in either header', async () => {
    expect((await request(gateway.url).get('/v1/models').set('authorization', `bearer ${gateway.caller.key}`)).status).toBe(200);
    expect((await request(gateway.url).get('/v1/models').set('x-api-key', gateway.caller.key)).status).toBe(200);
  });

  it('stop working at their expiry date', async () => {
    const expiring = await gateway.addCaller('expiring', { expiresAt: instant(gateway.clock.now() + 1000) });
    expect((await get('/v1/models', expiring)).status).toBe(200);
    gateway.clock.advance(1000);
    expect((await get('/v1/models', expiring)).body.error.code).toBe('invalid_api_key');
  });

  it('are refused from the next request after their revocation', async () => {
    const revoked = await gateway.addCaller('revoked');
    await gateway.gateway.keyManagement.revoke(revoked.account.id, revoked.keyId, SYSTEM_ACTOR);
    expect((await get('/v1/models', revoked)).body.error.code).toBe('invalid_api_key');
  });
});

describe('paths of the API:', () => {
  it.each([
    ['GET', '/v1/chat/completions', 'POST'],
    ['GET', '/v1/messages', 'POST'],
    ['PUT', '/v1/messages/count_tokens', 'POST'],
    ['GET', '/v1/responses', 'POST'],
    ['PUT', '/v1/responses/input_tokens', 'POST'],
    ['POST', '/v1/responses/resp_1', 'GET, HEAD, DELETE'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['DELETE', '/v1/models/small', 'GET, HEAD'],
    ['OPTIONS', '/v1/account', 'GET, HEAD'],
    ['PUT', '/v1/api-keys', 'GET, HEAD, POST'],
    ['POST', '/v1/usage/summary', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/readyz', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['PUT', '/openapi.json', 'GET, HEAD'],
    ['DELETE', '/docs', 'GET, HEAD'],
  ])('%s %s is answered with 405 and the supported methods', async (method, path, allowed) => {
    const reply = await fetch(`${gateway.url}${path}`, { method });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, allowed]);
    const body = (await reply.json()) as { type?: string; error: { code: string; request_id: string } };
    expect(body.error).toMatchObject({ code: 'method_not_allowed', request_id: reply.headers.get('x-request-id') });
    expect(body.type).toBe(path.startsWith('/v1/messages') ? 'error' : undefined);
  });

  it.each([
    ['/v1/nothing', {}, undefined],
    ['/v1/chat', { 'anthropic-version': '2023-06-01' }, undefined],
    ['/v1/messages/batches', {}, 'error'],
    ['/v1/messagesque', {}, undefined],
    ['/v1/responses/resp_1/cancel', { 'anthropic-version': '2023-06-01' }, undefined],
    ['/v1/nothing', { 'anthropic-version': '2023-06-01' }, 'error'],
  ])('%s is answered with 404 in the envelope of its format (headers: %j)', async (path, headers, type) => {
    const reply = await request(gateway.url).get(path).set(headers);
    expect([reply.status, reply.body.error.code, reply.body.type]).toEqual([404, 'not_found', type]);
    expect(reply.headers['request-id']).toBe(reply.headers['x-request-id']);
    expect(reply.body.error.request_id).toBe(reply.headers['x-request-id']);
  });

  it.each(['/v1/models', '/v1/account', '/healthz', '/readyz'])('HEAD %s has the headers of GET and no body', async (path) => {
    await renewLease();
    const [head, whole] = await Promise.all([request(gateway.url).head(path).set('x-api-key', gateway.caller.key), get(path)]);
    expect([head.status, head.text]).toEqual([200, undefined]);
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
  });

  it.each(['/v1/models', '/v1/nothing', '/healthz'])('%s does not reveal the server software, and is not cached', async (path) => {
    const { headers } = await get(path);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('etag');
    expect(headers['cache-control']).toBe('no-store');
  });

  it('a trailing slash or a query makes no difference', async () => {
    expect((await get('/v1/models/?beta=true')).status).toBe(200);
  });
});

describe.each(COUNTING_PATHS)('POST %s', (path) => {
  it('counts tokens without charge, and returns the limits in headers', async () => {
    const before = await gateway.parts.store.ledger.balanceOf(gateway.caller.account.id);
    const reply = await gateway.post(`${path}?beta=true`, { model: 'small', ...bodyOfEveryFormat('Hi there!', 1) });
    expect(await reply.json()).toEqual({ ...(path === '/v1/responses/input_tokens' ? { object: 'response.input_tokens' } : {}), input_tokens: 9 });
    expect(reply.headers.get('x-ratelimit-limit-requests')).toBe('1000');
    expect(await gateway.parts.store.ledger.balanceOf(gateway.caller.account.id)).toEqual(before);
  });
});

describe('/healthz and /readyz', () => {
  it('need no key and work in maintenance', async () => {
    gateway.parts.platform.maintenance = true;
    try {
      await renewLease();
      const [alive, ready, account] = await Promise.all(['/healthz', '/readyz', '/v1/nothing'].map((path) => request(gateway.url).get(path)));
      expect([alive?.status, ready?.status, account?.status]).toEqual([200, 200, 503]);
      expect(alive?.headers['x-request-id']).toMatch(/^req_/);
    } finally {
      gateway.parts.platform.maintenance = false;
    }
  });
});
