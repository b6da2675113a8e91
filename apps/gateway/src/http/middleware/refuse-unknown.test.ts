import { expect, it } from '@jest/globals';
import request from 'supertest';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { byPath, refuseOtherMethods, refuseUnknownPath } from './refuse-unknown.js';

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

it.each([['/keys/{id}', '/keys/current'], ['/keys/:id', '/keys/current']])('of two paths that match a request, the one with fewer parameters takes precedence: %s, %s', (other, exact) => {
  expect([...byPath([{ path: other }, { path: exact }, { path: other }]).entries()]).toEqual([[exact, [{ path: exact }]], [other, [{ path: other }, { path: other }]]]);
});
