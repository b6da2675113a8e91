import { afterEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { Ledger, RateLimiter } from '@tollgate/core';
import { createMemoryStore } from '@tollgate/adapters-memory';
import { RawConnection } from '../src/test-support/raw-connection.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../src/test-support/start-test-gateway.js';
import { SERVER_LIMITS } from '../src/server/create-server.js';
import { TestPlatform } from '../src/test-support/test-platform.js';

const BODY = { model: 'small', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
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

  it.each([
    ['/v1/chat/completions', undefined],
    ['/v1/messages', 'error'],
  ])('on %s is a 500 with a request id that tells nothing, and the log has the cause', async (path, type) => {
    const { url, caller, parts } = await start({ foundation: { limiter } });
    const reply = await request(url).post(path).set('x-api-key', caller.key).send(BODY);
    expect([reply.status, reply.body.type]).toEqual([500, type]);
    expect(reply.body.error).toMatchObject({ code: 'internal_error', type: 'api_error', request_id: reply.headers['x-request-id'] });
    expect(reply.text).not.toContain(SECRET);
    expect(parts.logged).toContainEqual(expect.objectContaining({
      level: 50, requestId: reply.headers['x-request-id'], err: expect.objectContaining({ message: SECRET }),
    }));
  });

  it('does not end the process: the next request is served', async () => {
    const { url, caller } = await start({ foundation: { limiter } });
    await request(url).post('/v1/messages').set('x-api-key', caller.key).send(BODY);
    const { status } = await request(url).get('/v1/models').set('x-api-key', caller.key);
    expect(status).toBe(200);
  });
});

describe('a store that does not answer', () => {
  it('makes the gateway not ready, while it still says that it lives', async () => {
    const store = createMemoryStore();
    const answering = store.ledger;
    const ledger: Ledger = {
      balanceOf: failing,
      credit: (command) => answering.credit(command),
      reserve: (command) => answering.reserve(command),
      extend: (id, amount) => answering.extend(id, amount),
      settle: (command) => answering.settle(command),
      checkpoint: (checkpoint) => answering.checkpoint(checkpoint),
      sweep: (now) => answering.sweep(now),
      retire: (ownerId) => answering.retire(ownerId),
    };
    const { url } = await start({ foundation: { store: { ...store, ledger, platform: new TestPlatform() } } });
    const [alive, ready] = await Promise.all([request(url).get('/healthz'), request(url).get('/readyz')]);
    expect([alive.status, ready.status, ready.body]).toEqual([200, 503, { status: 'unavailable', store: 'unavailable' }]);
  });
});

describe('the log', () => {
  it('has one line for each request, and never a key, a body or a query', async () => {
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

describe('a request without a host', () => {
  it('is refused with a request id, and served in HTTP/1.0', async () => {
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

  it('is the connection\'s own unless its proxy is trusted', async () => {
    const { parts, url, caller } = await start({});
    parts.platform.blockedAddresses.add('203.0.113.9');
    expect((await request(url).get('/v1/models').set({ 'x-api-key': caller.key, ...forwarded })).status).toBe(200);
  });

  it('is the one that a trusted proxy names', async () => {
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
  ])('%s is told so and cut off', async (_, bytes) => {
    const { url, caller } = await start({ settings: { server } });
    const connection = await RawConnection.open(url);
    void connection.send(bytes.replace('host: test', `host: test\r\nx-api-key: ${caller.key}`));
    const reply = await connection.untilClosed();
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    expect(reply).not.toContain('x-should-retry');
    expect(reply).toMatch(/x-request-id: req_/);
  });
});
