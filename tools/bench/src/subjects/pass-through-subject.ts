import { UPSTREAM_ORIGIN } from './pass-through.js';
import { startOwnServer } from './start-own-server.js';
import type { Subject } from './subject.js';

const CHAT_PATH = '/v1/chat/completions';

function passThrough(id: 'node' | 'express' | 'parsing' | 'durable', title: string): Subject {
  return {
    id,
    title,
    start: async ({ folder, upstreamPort }) => {
      const environment = { [UPSTREAM_ORIGIN]: `http://127.0.0.1:${upstreamPort}` };
      const server = await startOwnServer({ name: id, program: `subjects/${id}-main.js`, folder, environment });
      return { id, title, path: CHAT_PATH, headers: {}, keys: [], ...server };
    },
  };
}

/** The least that a Node server can do between a client and an upstream. */
export const NODE_PASS_THROUGH = passThrough('node', 'node:http pass-through');

/** The same behind Express: what every figure of the gateway is compared to. */
export const EXPRESS_PASS_THROUGH = passThrough('express', 'Express pass-through');

/** The one behind Express with one thing more that a gateway like this does as well, done the obvious way: what it takes, all the rest comes on top of. */
export const BOUNDS: readonly Subject[] = [passThrough('parsing', 'Express, parsing bodies'), passThrough('durable', 'Express, waiting for the disk')];
