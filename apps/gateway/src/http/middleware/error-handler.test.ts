import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import request from 'supertest';
import { GatewayError } from '@tollgate/core';
import { eventually } from '../../test-support/test-client.js';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { sendJson } from '../reply/send-json.js';
import { answer } from './answer.js';

it.each([
  ['thrown by a middleware', () => {
    throw new GatewayError('not_found', 'Nothing.');
  }, 404, 'not_found'],
  ['that an endpoint rejects with', () => Promise.reject(new GatewayError('model_not_found', 'No model.')), 404, 'model_not_found'],
  ['that is unexpected', () => Promise.reject(new Error('secret')), 500, 'internal_error'],
] as const)('an error %s is answered in the path’s format, and ends the request’s work', async (_, fail, status, code) => {
  const world = new MiddlewareApp();
  const app = world.with((router) => router.use(answer(fail)));
  const reply = await request(app).get('/v1/messages');
  expect([reply.status, reply.body.type, reply.body.error.code]).toEqual([status, 'error', code]);
  expect(JSON.stringify(reply.body)).not.toContain('secret');
  await eventually(() => world.done.length === 1);
  expect(world.refusals).toEqual([code]);
});

it('an error after the end of the reply is recorded with its request', async () => {
  const world = new MiddlewareApp();
  const app = world.with((router) => router.use(answer(async (exchange) => {
    sendJson(exchange, 200, {});
    await once(exchange.res, 'close');
    throw new Error('after the reply');
  })));
  expect((await request(app).get('/')).status).toBe(200);
  await eventually(() => world.done.length === 1);
  expect(world.refusals).toEqual(['internal_error']);
});
