import { afterEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { SYSTEM_ACTOR, UNTIL_UNBLOCKED } from '@tollgate/core';
import { bodyOfEveryFormat } from './acceptance/support/formats.js';
import { RawConnection } from '../src/test-support/test-client.js';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../src/test-support/start-test-gateway.js';

const BODY = { model: 'small', ...bodyOfEveryFormat('Hi', 50) };

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(options: TestGatewayOptions = {}): Promise<TestGateway> {
  gateway = await startTestGateway(options);
  return gateway;
}

/** Sends a request with extra header lines. */
async function ask(path: string, ...headers: readonly string[]): Promise<string> {
  const connection = await RawConnection.open(gateway.url);
  await connection.send(`GET ${path} HTTP/1.1\r\n${[...headers, 'Connection: close'].map((line) => `${line}\r\n`).join('')}\r\n`);
  return connection.untilClosed();
}

describe('a request with repeated headers', () => {
  it.each([
    ['two hosts', ['Host: a.example.test', 'Host: b.example.test'], 'The request has more than one Host header.'],
    ['the same host twice', ['Host: a.example.test', 'host: a.example.test'], 'The request has more than one Host header.'],
    ['two keys', ['Host: test', 'Authorization: Bearer KEY', 'authorization: Bearer sk-other'], 'The request has several Authorization headers with different values.'],
  ])('such as %s is refused with 400 and a request id', async (_, headers, message) => {
    const { caller, parts } = await start();
    for (const path of ['/v1/models', '/healthz']) {
      const reply = await ask(path, ...headers.map((line) => line.replace('KEY', caller.key)));
      expect(reply).toMatch(/^HTTP\/1\.1 400 [^]*x-request-id: req_[^]*"code":"invalid_request"/);
      expect(parts.logged).not.toContainEqual(expect.objectContaining({ msg: 'a request could not be read' }));
      expect(reply).toContain(message);
    }
  });

  it('is served if it only repeats the same Authorization header', async () => {
    const { caller } = await start();
    expect(await ask('/v1/models', 'Host: test', `Authorization: Bearer ${caller.key}`, `Authorization: Bearer ${caller.key}`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it.each(['http://[/', 'http://[::1/v1/models'])('the malformed target %s is treated as an unknown path', async (target) => {
  const { gateway: running } = await start();
  expect(await ask(target, 'Host: test')).toMatch(/^HTTP\/1\.1 404 [^]*x-request-id: req_[^]*"code":"not_found"/);
  expect(running.runningRequests).toBe(0);
});

describe('behind a trusted proxy,', () => {
  const trusting = { settings: { trustedProxies: ['127.0.0.0/8'] } };

  async function statusFor(forwarded: string): Promise<number> {
    return (await request(gateway.url).get('/v1/models').set({ 'x-api-key': gateway.caller.key, 'x-forwarded-for': forwarded })).status;
  }

  it.each(['203.0.113.9', '203.0.113.9:4711', '198.51.100.1, "[::ffff:203.0.113.9]:4711"'])('a blocked client is refused, whatever the notation of its address: %s', async (forwarded) => {
    const { parts } = await start({ ...trusting, services: ({ store }) => ({ platform: store.platform }) });
    await parts.store.controls.blockNetwork('203.0.113.0/24', UNTIL_UNBLOCKED, { actor: SYSTEM_ACTOR, at: parts.clock.now() });
    expect([await statusFor(forwarded), await statusFor('198.51.100.1:80')]).toEqual([403, 200]);
  });

  it('a client with an unreadable address is refused only if some network is blocked', async () => {
    const { parts } = await start(trusting);
    expect(await statusFor('unknown')).toBe(200);
    parts.platform.blockedAddresses.add('203.0.113.9');
    expect([await statusFor('unknown'), await statusFor('198.51.100.1')]).toEqual([403, 200]);
  });
});

it('a key in a path is not logged', async () => {
  const { caller, parts } = await start();
  await gateway.fetch(`/v1/models/${caller.key}`);
  await gateway.fetch(`/${caller.key.replace('-', '%2d')}/v1/models`);
  expect(parts.logged.filter(({ msg }) => msg === 'request')).toMatchObject([{ path: '/v1/models/sk-[redacted]' }, { path: '/sk-[redacted]/v1/models' }]);
  expect(JSON.stringify(parts.logged)).not.toContain(caller.key.slice(3));
});

it('every reply forbids content sniffing', async () => {
  await start({ settings: { metrics: { host: '127.0.0.1', port: 0 } } });
  const metricsUrl = gateway.gateway.metricsUrl ?? '';
  const replies = await Promise.all([
    gateway.fetch('/healthz'), gateway.fetch('/readyz'), gateway.fetch('/v1/models'), gateway.fetch('/nowhere'), gateway.fetch('/v1/models', { method: 'PUT' }),
    gateway.fetch('/v1/account', { headers: { authorization: 'none' } }), gateway.post('/v1/messages', BODY), gateway.post('/v1/messages', { ...BODY, stream: true }),
    gateway.post('/v1/chat/completions', { ...BODY, stream: true }), gateway.post('/v1/responses', BODY), gateway.post('/v1/responses', { ...BODY, stream: true }),
    gateway.fetch('/v1/responses/resp_unknown'), fetch(metricsUrl), fetch(metricsUrl.replace('/metrics', '/')),
  ]);
  expect(replies.map(({ status, headers }) => [status, headers.get('x-content-type-options')]))
    .toEqual([200, 200, 200, 404, 405, 401, 200, 200, 200, 200, 200, 404, 200, 404].map((status) => [status, 'nosniff']));
  await Promise.all(replies.map((reply) => reply.text()));
});

describe('an endpoint of other services that the gateway lacks', () => {
  it.each([
    ['POST', '/v1/embeddings', 'Embeddings are not offered', undefined],
    ['POST', '/v1/completions', 'Use POST /v1/chat/completions', undefined],
    ['POST', '/v1/messages/batches', 'by itself to POST /v1/messages', 'error'],
    ['GET', '/v1/files', 'Send texts and images in the messages', undefined],
    ['POST', '/v1/moderations', 'Moderations are not offered', undefined],
  ])('(%s %s) is answered with 404 and an explanation, and is not retryable', async (method, path, text, type) => {
    await start();
    const reply = await gateway.fetch(path, { method, ...(method === 'POST' ? { body: '{}' } : {}) });
    expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([404, 'false']);
    expect(await reply.json()).toMatchObject({ ...(type === undefined ? {} : { type }), error: { code: 'not_found', type: 'not_found_error', message: expect.stringContaining(text) } });
  });

  it('is answered with 503 during maintenance, even without a key', async () => {
    const { parts, url } = await start();
    expect((await fetch(`${url}/v1/embeddings`, { method: 'POST', body: '{}' })).status).toBe(404);
    Object.assign(parts.platform, { maintenance: true });
    expect((await fetch(`${url}/v1/embeddings`, { method: 'POST', body: '{}' })).status).toBe(503);
  });
});
