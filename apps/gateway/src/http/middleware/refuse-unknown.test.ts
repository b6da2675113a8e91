import { expect, it } from '@jest/globals';
import request from 'supertest';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { refuseOtherMethods, refuseUnknownPath } from './refuse-unknown.js';

it('unknown paths and unsupported methods are refused', async () => {
  const app = new MiddlewareApp().with((router) => {
    router.use('/known', refuseOtherMethods('GET, HEAD'));
    router.use(refuseUnknownPath);
  });
  const other = await request(app).put('/known');
  expect([other.status, other.headers['allow'], other.body.error.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
  const unknown = await request(app).get('/v1/embeddings');
  expect([unknown.status, unknown.body.error.message]).toEqual([404, 'Embeddings are not offered: all models here generate text.']);
});
