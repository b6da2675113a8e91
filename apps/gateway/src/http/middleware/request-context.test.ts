import { expect, it } from '@jest/globals';
import request from 'supertest';
import { eventually } from '../../test-support/test-client.js';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { sendJson } from '../reply/send-json.js';
import { answer } from './answer.js';

it('assigns each request an id, sent with its reply, and counts it as running until it ends', async () => {
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

it('closes connections after the reply while the gateway stops', async () => {
  const world = new MiddlewareApp();
  const app = world.with((router) => router.get('/', answer((exchange) => sendJson(exchange, 200, {}))));
  const headersOf = async (): Promise<string | undefined> => (await request(app).get('/').set('connection', 'keep-alive')).headers['connection'];
  expect(await headersOf()).toBe('keep-alive');
  world.gate.close();
  expect(await headersOf()).toBe('close');
});
