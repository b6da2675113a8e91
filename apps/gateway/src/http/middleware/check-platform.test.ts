import { expect, it } from '@jest/globals';
import request from 'supertest';
import { MiddlewareApp } from '../../test-support/middleware-app.js';
import { sendJson } from '../reply/send-json.js';
import { answer } from './answer.js';
import { checkPlatform } from './check-platform.js';

it('requests are refused during maintenance and from blocked networks', async () => {
  const world = new MiddlewareApp();
  const { platform, clock } = world.parts;
  const app = world.with((router) => router.get('/', checkPlatform({ platform, clock }), answer((exchange) => sendJson(exchange, 200, {}))));
  const outcome = async (): Promise<unknown> => {
    const { status, body } = await request(app).get('/');
    return [status, body.error?.code];
  };
  expect(await outcome()).toEqual([200, undefined]);
  platform.maintenance = true;
  expect(await outcome()).toEqual([503, 'maintenance_mode']);
  platform.maintenance = false;
  platform.blockedAddresses.add('::ffff:127.0.0.1').add('127.0.0.1');
  expect(await outcome()).toEqual([403, 'ip_blocked']);
});
