import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import type { Application } from 'express';
import request from 'supertest';
import type { AccountId } from '@tollgate/core';
import { until } from '@tollgate/testkit';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { createLog } from '../../observability/create-log.js';
import { BodyHealth } from '../../observability/body-health.js';
import { AccountFunds } from '../account-funds.js';
import { BodyBudget } from '../body-budget.js';
import { JsonBodyReader } from '../json-body-reader.js';
import { sendJson } from '../reply/send-json.js';
import { bodyEndpoint, mountEndpoints, readEndpoint } from './endpoint.js';

const BYTES_IN_FLIGHT = 16 * 1_048_576;

function bodiesOf(world: MiddlewareApp): JsonBodyReader {
  const { clock, store, catalogue } = world.parts;
  const log = createLog('silent', process.stderr);
  const budget = new BodyBudget(BYTES_IN_FLIGHT, { clock, funds: new AccountFunds({ ledger: store.ledger, catalogue, clock }), report: new BodyHealth(log, clock) });
  return new JsonBodyReader({ budget, clock, elapsed: () => performance.now() });
}

it('an endpoint passes the decoded value to its handler', async () => {
  const world = new MiddlewareApp();
  const { key, account } = await world.addCaller('one');
  const app = world.with((router) => mountEndpoints(router, [bodyEndpoint({
    path: '/',
    bodies: bodiesOf(world),
    decode: ({ value, bytes }, { req }) => ({ value, length: bytes.length, agent: req.headers['user-agent'] }),
    handle: async (exchange, caller, body) => sendJson(exchange, 200, { ...body, account: caller.account.id }),
  })], world.callers));
  const post = (body: string) => request(app).post('/').set({ 'authorization': `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': 'test' }).send(body);
  expect((await post('{"a":[1]}')).body).toEqual({ value: { a: [1] }, length: 9, agent: 'test', account: account.id });
  expect((await post('{"a":')).body).toMatchObject({ error: { code: 'invalid_request' } });
});

interface RawRequest {
  readonly head: string;
  /** The last bytes of the request, which complete it. */
  readonly rest: string;
}

/** Sends requests on separate connections. The last bytes of all arrive between two event loop turns; then `onArrival` is called. */
async function sendAtOnce(app: Application, requests: readonly RawRequest[], onArrival: () => void = () => undefined): Promise<void> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients: Socket[] = [];
  for (const { head } of requests) {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    const [socket] = await accepted;
    client.write(head);
    await until(() => socket.bytesRead === head.length);
  }
  onArrival();
  for (const [index, client] of clients.entries()) client.write(requests[index]?.rest ?? '');
  await Promise.all(clients.map((client) => once(client, 'data')));
  await new Promise((resolve) => {
    server.close(resolve).closeAllConnections();
  });
  for (const client of clients) client.destroy();
}

interface BegunRead {
  readonly accountId: AccountId;
  /** Number of the event loop turn, counted from the first request. */
  readonly turn: number;
}

/** Reads concurrently; returns the reads in the order of their start. */
async function readAtOnce(world: MiddlewareApp, keys: readonly string[]): Promise<readonly BegunRead[]> {
  const begun: BegunRead[] = [];
  let [turn, counting] = [0, true];
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  const app = world.with((router) => {
    mountEndpoints(router, [readEndpoint('/read', (exchange, { account }) => {
      begun.push({ accountId: account.id, turn });
      sendJson(exchange, 200, {});
    })], world.callers);
  });
  await sendAtOnce(app, keys.map((key) => ({ head: `GET /read HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\n`, rest: '\r\n' })), count);
  counting = false;
  return begun;
}

it('a read endpoint starts each of its concurrent requests in a separate turn of the event loop', async () => {
  const world = new MiddlewareApp();
  const { key } = await world.addCaller('one');
  const begun = await readAtOnce(world, Array.from({ length: 40 }, () => key));
  expect([begun.length, new Set(begun.map(({ turn }) => turn)).size]).toEqual([40, 40]);
});

it('an endpoint starts the only read of an account ahead of most reads that another account sent earlier', async () => {
  const world = new MiddlewareApp();
  const [busy, other] = [await world.addCaller('busy'), await world.addCaller('other')];
  const begun = await readAtOnce(world, [...Array.from({ length: 40 }, () => busy.key), other.key]);
  expect(begun).toHaveLength(41);
  expect(begun.findIndex(({ accountId }) => accountId === other.account.id)).toBeLessThan(3);
});

it('an endpoint decodes the only large body of an account ahead of most bodies that another account sent earlier', async () => {
  const world = new MiddlewareApp();
  const [busy, other] = [await world.addCaller('busy'), await world.addCaller('other')];
  const decoded: (AccountId | null)[] = [];
  const app = world.with((router) => mountEndpoints(router, [bodyEndpoint({
    path: '/',
    bodies: bodiesOf(world),
    decode: (_body, { accountId }) => {
      decoded.push(accountId);
      return null;
    },
    handle: async (exchange) => sendJson(exchange, 200, {}),
  })], world.callers));
  const body = JSON.stringify('x'.repeat(140_000));
  const requests = [...Array.from({ length: 8 }, () => busy), other].map(({ key }) => ({
    head: `POST / HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
    rest: body.slice(-1),
  }));
  await sendAtOnce(app, requests);
  expect(decoded).toHaveLength(9);
  expect(decoded.indexOf(other.account.id)).toBeLessThan(3);
});
