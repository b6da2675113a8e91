import { expect, it } from '@jest/globals';
import request from 'supertest';
import { MiddlewareApp } from '../test-support/middleware-app.js';
import { lazyRouter } from './lazy-router.js';

it('a router is loaded once, at the first request under its root; after a failure, the next request loads it again', async () => {
  let loads = 0;
  const lazy = lazyRouter('/late', async () => {
    loads += 1;
    await Promise.resolve();
    if (loads === 1) throw new Error('a part is missing');
    return (_req, res) => void res.end('loaded');
  });
  const app = new MiddlewareApp().with((router) => router.use(lazy).get('/early', (_req, res) => void res.end('early')));
  expect([(await request(app).get('/early')).text, loads]).toEqual(['early', 0]);
  expect((await request(app).get('/late')).status).toBe(500);
  expect([(await request(app).get('/late')).text, (await request(app).get('/LATE/more')).text, loads]).toEqual(['loaded', 'loaded', 2]);
});
