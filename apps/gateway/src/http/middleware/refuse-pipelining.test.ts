import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import express from 'express';
import { ManualClock } from '@tollgate/adapters-memory';
import { RawConnection } from '../../test-support/test-client.js';
import { REFUSAL_DELAY_MILLISECONDS, RefusalDelay } from '../reply/refusal-delay.js';
import { refusePipelining } from './refuse-pipelining.js';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

it('closes a connection that pipelines a request behind a delayed refusal, and spares others', async () => {
  const delay = new RefusalDelay(new ManualClock(), REFUSAL_DELAY_MILLISECONDS);
  const reached: string[] = [];
  const app = express();
  app.use(refusePipelining(delay), (req, res) => {
    reached.push(req.url);
    if (reached.length > 1) void delay.wait(req.socket);
    else res.end('first');
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const connection = await RawConnection.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await connection.send(GET);
  await connection.until('first');
  await connection.send(GET + GET);
  await connection.untilClosed();
  expect(reached).toEqual(['/', '/']);
  server.close();
});
