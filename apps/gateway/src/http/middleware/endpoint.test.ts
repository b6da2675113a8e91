import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import request from 'supertest';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { createLog } from '../../observability/log.js';
import { BodyHealth } from '../../observability/health-reports.js';
import { AccountFunds } from '../account-funds.js';
import { BodyBudget } from '../body-budget.js';
import { JsonBodyReader } from '../json-body-reader.js';
import { sendJson } from '../reply/send-json.js';
import { answer } from './request-context.js';
import { authenticate } from './authenticate.js';
import { mountEndpoints, readEndpoint, readJsonBody, takeBody } from './endpoint.js';

const BYTES_IN_FLIGHT = 16 * 1_048_576;

it('hands on what the decoder makes of the body, which the request then gives away', async () => {
  const world = new MiddlewareApp();
  const { key } = await world.addCaller('one');
  const { clock, store, catalogue } = world.parts;
  const bodies = new JsonBodyReader({ budget: new BodyBudget(BYTES_IN_FLIGHT, { clock, funds: new AccountFunds({ ledger: store.ledger, catalogue, clock }), report: new BodyHealth(createLog('silent', process.stderr), clock) }), clock });
  const app = world.with((router) => router.post('/', authenticate(world.callers), readJsonBody(bodies, ({ value, bytes }, { req }) => ({
    value, length: bytes.length, agent: req.headers['user-agent'],
  })), answer((exchange) => {
    const body = takeBody(exchange.req) as object;
    sendJson(exchange, 200, { ...body, left: exchange.req.body as unknown });
  })));
  const post = (body: string) => request(app).post('/').set({ 'authorization': `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': 'test' }).send(body);
  expect((await post('{"a":[1]}')).body).toEqual({ value: { a: [1] }, length: 9, agent: 'test', left: null });
  expect((await post('{"a":')).body).toMatchObject({ error: { code: 'invalid_request' } });
});

it('begins each read in a turn of the event loop of its own', async () => {
  const world = new MiddlewareApp();
  const { key } = await world.addCaller('one');
  const turns: number[] = [];
  let [turn, counting] = [0, true];
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  const server = world.with((router) => {
    mountEndpoints(router, [readEndpoint('/read', (exchange) => {
      turns.push(turn);
      sendJson(exchange, 200, {});
    })], world.callers);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  while (sockets.length < 40) {
    const accepted = once(server, 'connection');
    sockets.push(connect(port, '127.0.0.1'));
    await accepted;
  }
  count();
  // All requests have arrived when the server looks for the next.
  for (const socket of sockets) socket.write(`GET /read HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\n\r\n`);
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  counting = false;
  await new Promise((resolve) => {
    server.close(resolve).closeAllConnections();
  });
  for (const socket of sockets) socket.destroy();
  expect([turns.length, new Set(turns).size]).toEqual([40, 40]);
});
