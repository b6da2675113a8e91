import { startOwnServer } from './start-own-server.js';
import type { Subject } from './subject.js';

/** The environment variables that tell a pass-through where its upstream is, and which one it is. */
export const UPSTREAM_ORIGIN = 'BENCH_UPSTREAM_ORIGIN';
export const PASS_THROUGH = 'BENCH_PASS_THROUGH';

export type PassThroughKind = 'node' | 'express' | 'parsing' | 'durable';

const CHAT_PATH = '/v1/chat/completions';

function passThrough(id: PassThroughKind, title: string): Subject {
  return {
    id,
    title,
    start: async ({ folder, upstreamPort }) => {
      const environment = { [UPSTREAM_ORIGIN]: `http://127.0.0.1:${upstreamPort}`, [PASS_THROUGH]: id };
      const server = await startOwnServer({ name: id, program: 'subjects/pass-through-main.js', folder, environment });
      return { id, title, path: CHAT_PATH, headers: {}, keys: [], ...server };
    },
  };
}

/** The least that a Node server can do between a client and an upstream. */
export const NODE_PASS_THROUGH = passThrough('node', 'node:http pass-through');

/** The same behind Express: the baseline of the gateway's figures. */
export const EXPRESS_PASS_THROUGH = passThrough('express', 'Express pass-through');

/** The baseline with one thing more that a gateway does too. */
export const BOUNDS: readonly Subject[] = [passThrough('parsing', 'Express, parsing and printing'), passThrough('durable', 'Express, waiting for the disk')];
