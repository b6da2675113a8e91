import { DEFAULT_TIMEOUTS } from './connection.js';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { Pool } from 'undici';
import { UpstreamCall } from './upstream-call.js';

describe('a call', () => {
  let server: Server;
  let pool: Pool;
  let replying: Promise<ServerResponse>;

  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    replying = once(server, 'request').then(([, response]) => response as ServerResponse);
    await once(server, 'listening');
    pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await pool.destroy();
  });

  it('that is cancelled still gives a woken reader what has arrived, and then fails', async () => {
    const call = new UpstreamCall(new ManualClock(), { timeouts: DEFAULT_TIMEOUTS, maxResponseBytes: 1_000 });
    const head = call.send(pool, { method: 'GET', path: '/', headers: [], body: null });
    const reply = await replying;
    reply.flushHeaders();
    await head;
    const taken = call.arrival().then(() => {
      call.cancel();
      return call.take();
    });
    reply.write('a');
    expect(Buffer.concat(await taken ?? []).toString()).toBe('a');
    await expect(call.arrival()).rejects.toMatchObject({ reason: 'cancelled' });
  });
});
