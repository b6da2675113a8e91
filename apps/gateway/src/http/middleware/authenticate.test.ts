import { describe, expect, it } from '@jest/globals';
import type { Application } from 'express';
import request from 'supertest';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { sendJson } from '../reply/send-json.js';
import { answer } from './answer.js';
import { countUnanswerable } from './authenticate.js';
import { mountEndpoints, plainEndpoint } from './endpoint.js';

const LIMIT = 2;

interface Reply {
  readonly status: number;
  readonly body: { readonly account?: string | null; readonly error?: { readonly code: string } };
}

function ask(app: Application, key: string): Promise<Reply> {
  return request(app).get('/').set('authorization', `Bearer ${key}`).then(({ status, body }) => ({ status, body: body as Reply['body'] }));
}

const answerWithCaller = answer((exchange) => sendJson(exchange, 200, { account: exchange.caller?.account.id ?? null }));

function authenticating(world: MiddlewareApp): Application {
  return world.with((router) => mountEndpoints(router, [plainEndpoint('get', '/', (exchange, { account: { id } }) => {
    sendJson(exchange, 200, { account: id === exchange.caller?.account.id ? id : null });
  })], world.callers));
}

describe('authentication', () => {
  it('identifies the caller by its key, and refuses every other key', async () => {
    const world = new MiddlewareApp();
    const { key, account } = await world.addCaller('one');
    const app = authenticating(world);
    expect(await ask(app, key)).toEqual({ status: 200, body: { account: account.id } });
    expect(await ask(app, 'sk-unknown')).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
    expect(await request(app).get('/').then(({ body }) => body)).toMatchObject({ error: { code: 'missing_api_key' } });
  });

  it('refuses wrong keys from an address that has used up its units of unbilled work, but still accepts valid keys', async () => {
    const world = new MiddlewareApp({ unbilledPerMinute: LIMIT });
    const { key } = await world.addCaller('one');
    const app = authenticating(world);
    const statuses = async (used: string): Promise<readonly number[]> => [(await ask(app, used)).status, (await ask(app, used)).status, (await ask(app, used)).status];
    expect(await statuses('sk-unknown')).toEqual([401, 401, 429]);
    expect((await ask(app, key)).status).toBe(200);
  });
});

describe('a request that no endpoint answers', () => {
  it('passes even with an unknown key until the address has used up its units of unbilled work', async () => {
    const world = new MiddlewareApp({ unbilledPerMinute: LIMIT });
    const app = world.with((router) => router.get('/', countUnanswerable(world.callers), answerWithCaller));
    expect(await ask(app, 'sk-unknown')).toEqual({ status: 200, body: { account: null } });
    expect((await ask(app, 'sk-unknown')).status).toBe(200);
    expect(await ask(app, 'sk-unknown')).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
  });
});
