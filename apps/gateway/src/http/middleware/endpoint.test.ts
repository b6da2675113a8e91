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
import { readJsonBody, takeBody } from './endpoint.js';

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
