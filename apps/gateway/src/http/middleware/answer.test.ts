import { expect, it } from '@jest/globals';
import request from 'supertest';
import { eventually } from '../../test-support/test-client.js';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { sendJson } from '../reply/send-json.js';
import { answer } from './answer.js';

it('a request counts as running until both its reply and its handler have ended', async () => {
  const world = new MiddlewareApp();
  let finish: () => void = () => undefined;
  const app = world.with((router) => router.get('/', answer((exchange) => {
    sendJson(exchange, 200, {});
    return new Promise((resolve) => {
      finish = resolve;
    });
  })));
  expect((await request(app).get('/')).status).toBe(200);
  expect([world.exchanges.size, world.done.length]).toEqual([1, 0]);
  finish();
  await eventually(() => world.exchanges.size === 0 && world.done.length === 1);
});
