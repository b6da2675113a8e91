import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import request from 'supertest';
import { eventually, RawConnection } from '../../test-support/test-client.js';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { REFUSAL_DELAY_MILLISECONDS } from '../reply/refusal-delay.js';
import { sendJson } from '../reply/send-json.js';
import { answer } from './answer.js';

it('each request has an id, sent with its reply, and counts as running until it ends', async () => {
  const world = new MiddlewareApp();
  const running: number[] = [];
  const app = world.with((router) => router.get('/', answer((exchange) => {
    running.push(world.exchanges.size);
    sendJson(exchange, 200, { id: exchange.requestId });
  })));
  const replies = [await request(app).get('/'), await request(app).get('/')];
  expect(replies.map(({ headers }) => [headers['x-request-id'], headers['request-id'], headers['x-content-type-options'], headers['connection']])).toEqual(
    replies.map(({ body }) => [body.id, body.id, 'nosniff', 'close']),
  );
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(2);
  expect(running).toEqual([1, 1]);
  await eventually(() => world.exchanges.size === 0 && world.done.length === 2);
});

it('a connection is closed after its reply while the gateway stops', async () => {
  const world = new MiddlewareApp();
  const app = world.with((router) => router.get('/', answer((exchange) => sendJson(exchange, 200, {}))));
  const headersOf = async (): Promise<string | undefined> => (await request(app).get('/').set('connection', 'keep-alive')).headers['connection'];
  expect(await headersOf()).toBe('keep-alive');
  world.gate.close();
  expect(await headersOf()).toBe('close');
});

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

it('a connection is closed if it sends another request while a delayed refusal is pending', async () => {
  const world = new MiddlewareApp({ refusalDelayMilliseconds: REFUSAL_DELAY_MILLISECONDS });
  const reached: string[] = [];
  const app = world.with((router) => router.get('/', (req, res) => {
    reached.push(req.url);
    if (reached.length > 1) void world.delay.wait(req.socket);
    else res.end('first');
  }));
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const connection = await RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await connection.send(GET);
  await connection.until('first');
  await connection.send(GET + GET);
  await connection.untilClosed();
  expect(reached).toEqual(['/', '/']);
  server.close();
});
