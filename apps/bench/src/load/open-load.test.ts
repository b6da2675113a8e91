import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { LoadTarget } from './load-messages.js';
import { runOpenLoad } from './open-load.js';

/** More than there are connections at first. */
const REQUESTS = 20;
const PACE = { load: 'open', perSecond: 400, milliseconds: 50 } as const;

describe('load at a fixed rate', () => {
  let server: Server;

  afterEach(() => {
    server.close();
  });

  async function serving(answer: (res: ServerResponse) => void): Promise<LoadTarget> {
    server = createServer((req, res) => {
      req.resume().once('end', () => answer(res));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, path: '/v1/chat/completions', headers: {}, keys: [], body: '{}' };
  }

  it('sends every request that is due, though no reply has come before the last of them is sent', async () => {
    const waiting: ServerResponse[] = [];
    const target = await serving((res) => {
      waiting.push(res);
      if (waiting.length === REQUESTS) for (const each of waiting) each.end('{}');
    });
    const { completed, failed, latency, lateness } = await runOpenLoad({ ...PACE, target });
    expect([completed, failed, latency.count, lateness.count]).toEqual([REQUESTS, 0, REQUESTS, REQUESTS]);
  });

  it('counts what was refused, with the first reason, and no latency of it', async () => {
    const target = await serving((res) => res.writeHead(429).end('slower'));
    const { completed, failed, firstFailure, latency } = await runOpenLoad({ ...PACE, target });
    expect([completed, failed, firstFailure, latency.count]).toEqual([0, REQUESTS, 'status 429: slower', 0]);
  });

  it('sends nothing before it is due', async () => {
    const target = await serving((res) => res.end('{}'));
    const { lateness } = await runOpenLoad({ ...PACE, target });
    expect(lateness.p50).toBeGreaterThanOrEqual(0);
  });
});
