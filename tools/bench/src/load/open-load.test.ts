import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { constantBody } from './bodies.js';
import { ConversationNumbers } from './requests.js';
import type { LoadTarget } from './load-generator.js';
import { runOpenLoad } from './open-load.js';

/** More than there are connections at first. */
const REQUESTS = 20;
const PACE = { load: 'open', perSecond: 400, milliseconds: 50 } as const;
/** Of the event loop, which the load shares with the server here; all that is due falls into it. */
const STALL_MILLISECONDS = 100;

/** Keeps the event loop, so that whatever is due meanwhile is late. */
function stall(): void {
  const until = performance.now() + STALL_MILLISECONDS;
  while (performance.now() < until);
}

describe('load at a fixed rate', () => {
  let server: Server;

  afterEach(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  async function serving(answer: (res: ServerResponse) => void): Promise<LoadTarget> {
    server = createServer((req, res) => {
      req.resume().once('end', () => answer(res));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, path: '/v1/chat/completions', headers: {}, keys: [], body: constantBody('nothing', '{}') };
  }

  it('sends every request that is due, though no reply has come before the last of them is sent', async () => {
    const waiting: ServerResponse[] = [];
    const target = await serving((res) => {
      waiting.push(res);
      if (waiting.length === REQUESTS) for (const each of waiting) each.end('{}');
    });
    const { completed, failed, latency, lateness } = await runOpenLoad({ ...PACE, target }, new ConversationNumbers(0));
    expect([completed, failed, latency.count, lateness.count]).toEqual([REQUESTS, 0, REQUESTS, REQUESTS]);
  });

  it('counts what was refused, with the first reason, and no latency of it', async () => {
    let refused = 0;
    const target = await serving((res) => {
      refused += 1;
      res.writeHead(429).end(`refusal ${refused}`);
    });
    const { completed, failed, firstFailure, latency } = await runOpenLoad({ ...PACE, target }, new ConversationNumbers(0));
    expect([completed, failed, firstFailure, latency.count]).toEqual([0, REQUESTS, 'status 429: refusal 1', 0]);
  });

  it('tells how late it sent what came due while it could not send, and counts no latency for that', async () => {
    let served = 0;
    const target = await serving((res) => {
      served += 1;
      res.end('{}', served === 1 ? stall : undefined);
    });
    const { lateness, latency } = await runOpenLoad({ ...PACE, target }, new ConversationNumbers(0));
    expect(lateness.longest).toBeGreaterThan(STALL_MILLISECONDS / 2);
    expect(latency.p50).toBeLessThan(lateness.p50);
  });

  it('sends half of its requests no earlier than they are due', async () => {
    const { lateness } = await runOpenLoad({ ...PACE, target: await serving((res) => res.end('{}')) }, new ConversationNumbers(0));
    expect(lateness.p50).toBeGreaterThanOrEqual(0);
  });
});
