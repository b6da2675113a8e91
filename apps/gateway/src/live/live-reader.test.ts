import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import type { PersonId } from '@tollgate/core';
import { answer } from '../http/middleware/answer.js';
import { eventually } from '../test-support/test-client.js';
import { MiddlewareApp } from '../test-support/middleware-app.js';
import { LiveReader, MAX_LOST_FRAMES } from './live-reader.js';

/** Exceeds the kernel's buffer. */
const LARGE = 'x'.repeat(16 * 1024 * 1024);

it('a browser that does not read has one frame queued and later frames dropped, and is disconnected after a minute', async () => {
  let reader: LiveReader | null = null;
  let waiting: () => number = () => 0;
  const app = new MiddlewareApp().with((router) => router.get('/', answer(async (exchange) => {
    reader = new LiveReader('person' as PersonId, exchange, () => Promise.resolve(true));
    waiting = () => exchange.res.writableLength;
    await reader.ended;
  })));
  const server = createServer(app).listen(0, '127.0.0.1');
  await eventually(() => server.listening);
  const address = server.address();
  const socket = connect({ port: typeof address === 'object' ? address?.port ?? 0 : 0, host: '127.0.0.1' }).on('error', () => undefined);
  socket.pause().write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await eventually(() => reader !== null);
  const stream = reader as unknown as LiveReader;
  stream.send(LARGE);
  const first = waiting();
  expect(first).toBeGreaterThan(0);
  for (let frame = 1; frame < MAX_LOST_FRAMES; frame += 1) stream.send(LARGE);
  expect(waiting()).toBeLessThanOrEqual(first);
  stream.send(LARGE);
  await stream.ended;
  socket.destroy();
  server.close();
});
