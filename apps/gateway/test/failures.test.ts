import { afterEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { type Ledger, type RateLimiter, StoreUnavailable } from '@tollgate/core';
import { StaticCatalogue } from '@tollgate/adapters-memory';
import { bodyOfEveryFormat, COUNTING_PATHS, FORMATS } from './acceptance/support/formats.js';
import { LEASE_RENEWAL_MILLISECONDS } from '../src/background/lease-keeper.js';
import { RawConnection } from '../src/test-support/test-client.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../src/test-support/start-test-gateway.js';
import { SERVER_LIMITS } from '../src/http/server/create-server.js';
import { testCatalogue } from '../src/test-support/test-catalogue.js';

const BODY = { model: 'small', ...bodyOfEveryFormat('Hi', 50) };
const PATHS = FORMATS.map(({ path }) => path);
const SECRET = 'a host, a key and a stack';

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(options: TestGatewayOptions): Promise<TestGateway> {
  gateway = await startTestGateway(options);
  return gateway;
}

function failing(): Promise<never> {
  return Promise.reject(new Error(SECRET));
}

describe('an unexpected failure', () => {
  const limiter: RateLimiter = { heldSlots: 0, admit: failing, release: () => Promise.resolve(), quota: failing };

  it.each(FORMATS.map(({ path, envelopeType }) => [path, envelopeType] as const))('on %s is answered with 500 and a request id but no detail, and the cause is logged', async (path, type) => {
    const { url, caller, parts } = await start({ services: { limiter } });
    const reply = await request(url).post(path).set('x-api-key', caller.key).send(BODY);
    expect([reply.status, reply.body.type]).toEqual([500, type]);
    expect(reply.body.error).toMatchObject({ code: 'internal_error', type: 'api_error', request_id: reply.headers['x-request-id'] });
    expect(reply.text).not.toContain(SECRET);
    expect(parts.logged).toContainEqual(expect.objectContaining({
      level: 50, requestId: reply.headers['x-request-id'], err: expect.objectContaining({ message: SECRET }),
    }));
  });

  it('does not end the process: the next request is served', async () => {
    const { url, caller } = await start({ services: { limiter } });
    await request(url).post('/v1/messages').set('x-api-key', caller.key).send(BODY);
    const { status } = await request(url).get('/v1/models').set('x-api-key', caller.key);
    expect(status).toBe(200);
  });
});

it('a failing sweep of orphaned reservations prevents neither the start nor a request', async () => {
  const { url, caller, parts } = await start({ services: ({ store: { ledger } }) => ({ ledger: Object.assign(Object.create(ledger) as Ledger, { sweep: failing }) }) });
  expect((await request(url).post('/v1/messages').set('x-api-key', caller.key).send(BODY)).status).toBe(200);
  expect(parts.logged).toContainEqual(expect.objectContaining({ level: 50, msg: 'orphaned reservations could not be swept' }));
});

describe('a store that does not answer', () => {
  function fickle(answering: Ledger): { readonly ledger: Ledger; away: boolean } {
    const away = (): Promise<never> => Promise.reject(new StoreUnavailable(new Error(SECRET)));
    const state = { away: false };
    const ledger: Ledger = {
      balanceOf: (id) => answering.balanceOf(id),
      credit: (command) => answering.credit(command),
      book: (act) => answering.book(act),
      reserve: (command) => (state.away ? away() : answering.reserve(command)),
      extend: (id, amount) => answering.extend(id, amount),
      settle: (command) => answering.settle(command),
      checkpoint: (checkpoint) => (state.away ? away() : answering.checkpoint(checkpoint)),
      prolong: (prolongation) => answering.prolong(prolongation),
      sweep: (now) => answering.sweep(now),
      retire: (ownerId) => answering.retire(ownerId),
      sweepForgotten: (forgotten) => answering.sweepForgotten(forgotten),
    };
    return Object.assign(state, { ledger });
  }

  async function startFickle(): Promise<ReturnType<typeof fickle>> {
    let state: ReturnType<typeof fickle> | undefined;
    await start({
      services: ({ store }) => {
        state = fickle(store.ledger);
        return { ledger: state.ledger };
      },
    });
    if (state === undefined) throw new Error('the gateway takes the ledger');
    return state;
  }

  it('makes the gateway not ready, but still live, from a failed lease renewal to the next successful one', async () => {
    const state = await startFickle();
    const health = async (): Promise<unknown> => {
      const [alive, ready] = await Promise.all([request(gateway.url).get('/healthz'), request(gateway.url).get('/readyz')]);
      return [alive.status, ready.status, ready.body];
    };
    expect(await health()).toEqual([200, 200, { status: 'ready', store: 'ok', models: 'ok' }]);
    state.away = true;
    await gateway.clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
    expect(await health()).toEqual([200, 503, { status: 'unavailable', store: 'unavailable', models: 'ok' }]);
    state.away = false;
    await gateway.clock.advanceAsync(LEASE_RENEWAL_MILLISECONDS);
    expect(await health()).toEqual([200, 200, { status: 'ready', store: 'ok', models: 'ok' }]);
  });

  it.each(PATHS)('causes 503 on %s, with a retry time and no detail', async (path) => {
    const state = await startFickle();
    state.away = true;
    const reply = await gateway.post(path, BODY);
    expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('x-should-retry')]).toEqual([503, '2', null]);
    const text = await reply.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'service_unavailable', type: 'overloaded_error' } });
    expect(text).not.toContain(SECRET);
    expect(gateway.parts.logged).toContainEqual(expect.objectContaining({ level: 50, code: 'service_unavailable' }));
  });

  it('never makes a key look invalid', async () => {
    const { parts: { store } } = await start({});
    store.keys.findByHash = () => Promise.reject(new StoreUnavailable(new Error(SECRET)));
    const reply = await request(gateway.url).get('/v1/account').set('x-api-key', gateway.caller.key);
    expect([reply.status, reply.body.error.code]).toEqual([503, 'service_unavailable']);
  });
});

describe('while no model is known,', () => {
  it.each([...PATHS, ...COUNTING_PATHS])('%s is answered with 503 and a retry time, and the gateway is not ready', async (path) => {
    await start({ services: { catalogue: new StaticCatalogue({ ...testCatalogue(), models: [] }) } });
    const reply = await gateway.post(path, BODY);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await reply.json()).toMatchObject({ error: { code: 'provider_unavailable' } });
    const ready = await gateway.fetch('/readyz');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', store: 'ok', models: 'none' }]);
  });
});

describe('the log', () => {
  it('has one line per request, and never a key, a body or a query', async () => {
    const { parts, caller } = await start({});
    await gateway.post('/v1/messages?q=hidden-query', { ...BODY, messages: [{ role: 'user', content: 'hidden body' }] });
    await gateway.fetch('/v1/usage', { headers: { 'x-api-key': 'sk-hidden-key' } });
    const lines = parts.logged.filter(({ msg }) => msg === 'request');
    expect(lines).toMatchObject([
      {
        requestId: 'req_1', method: 'POST', path: '/v1/messages', status: 200, code: null, accountId: caller.account.id, keyId: caller.keyId,
        model: 'small', endReason: 'completed', charged: '0.0132', durationMilliseconds: 0, clientLeft: false,
      },
      { requestId: 'req_2', method: 'GET', path: '/v1/usage', status: 401, code: 'invalid_api_key', accountId: null, charged: null },
    ]);
    expect(JSON.stringify(parts.logged)).not.toMatch(/hidden|sk-/);
  });
});

describe('a request without a Host header', () => {
  it('is refused with 400 and a request id, but served in HTTP/1.0', async () => {
    const { url, caller } = await start({});
    const connection = await RawConnection.open(url);
    await connection.send('GET /v1/models HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 400 .*x-request-id: req_.*"code":"invalid_request"/s);
    const older = await RawConnection.open(url);
    await older.send(`GET /v1/models HTTP/1.0\r\nx-api-key: ${caller.key}\r\n\r\n`);
    expect(await older.untilClosed()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('the client\'s address', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9' };

  it('is that of the connection unless the peer is a trusted proxy', async () => {
    const { parts, url, caller } = await start({});
    parts.platform.blockedAddresses.add('203.0.113.9');
    expect((await request(url).get('/v1/models').set({ 'x-api-key': caller.key, ...forwarded })).status).toBe(200);
  });

  it('is the one that a trusted proxy states', async () => {
    const { parts, url, caller } = await start({ settings: { trustedProxies: ['127.0.0.0/8'] } });
    parts.platform.blockedAddresses.add('203.0.113.9');
    const refused = await request(url).get('/v1/models').set({ 'x-api-key': caller.key, ...forwarded });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'ip_blocked']);
    expect((await request(url).get('/v1/models').set('x-api-key', caller.key)).status).toBe(200);
  });
});

describe('a client that is too slow', () => {
  const server = { ...SERVER_LIMITS, headersTimeoutMilliseconds: 50, requestTimeoutMilliseconds: 100 };

  it.each([
    ['with its headers', 'POST /v1/messages HTTP/1.1\r\nhost: test\r\n'],
    ['with its body', 'POST /v1/messages HTTP/1.1\r\nhost: test\r\ncontent-length: 10\r\n\r\n{'],
  ])('%s is refused and disconnected', async (_, bytes) => {
    const { url, caller } = await start({ settings: { server } });
    const connection = await RawConnection.open(url);
    void connection.send(bytes.replace('host: test', `host: test\r\nx-api-key: ${caller.key}`));
    const reply = await connection.untilClosed();
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    expect(reply).not.toContain('x-should-retry');
    expect(reply).toMatch(/x-request-id: req_/);
  });
});
