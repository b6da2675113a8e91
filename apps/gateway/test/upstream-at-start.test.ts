import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { until } from '@tollgate/testkit';
import { rebind } from '../src/test-support/start-test-gateway.js';
import { createGateway } from '../src/composition/container.js';
import { createLog } from '../src/observability/create-log.js';
import type { Gateway } from '../src/gateway/gateway.js';

const KEY = 'an-upstream-key-of-its-own';
const ASKED_AGAIN_MILLISECONDS = 5000;

let server: Server;
let url: string;
let answer: (res: ServerResponse) => void;
let asked: number;
let clock: ManualClock;
let gateway: Gateway | null;
let lines: { readonly msg: string; readonly err?: unknown }[];

const refusing = (status: number, message: string) => (res: ServerResponse): void => void res.writeHead(status).end(JSON.stringify({ error: { message } }));
const listing = (...ids: readonly string[]) => (res: ServerResponse): void => void res.end(JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) }));

beforeEach(async () => {
  asked = 0;
  server = createServer((_req, res) => {
    asked += 1;
    answer(res);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  clock = new ManualClock();
  lines = [];
  gateway = null;
});

afterEach(async () => {
  await gateway?.close();
  server.closeAllConnections();
  server.close();
});

async function start(baseUrl: string): Promise<void> {
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as { msg: string }) });
  const environment = { PORT: '0', DATABASE_URL: 'sqlite::memory:', UPSTREAM_BASE_URL: baseUrl, UPSTREAM_API_KEY: KEY };
  gateway = await createGateway(environment, (container) => rebind(container, { clock, log }));
}

/** Waits until the gateway has requested the list of models twice more. */
async function askedAgain(): Promise<void> {
  const before = asked;
  await until(async () => {
    await clock.advanceAsync(ASKED_AGAIN_MILLISECONDS);
    return asked >= before + 2;
  });
}

function told(): readonly string[] {
  expect(lines.filter(({ err }) => err !== undefined)).toEqual([]);
  return lines.map(({ msg }) => msg).filter((msg) => msg.includes('the upstream at'));
}

describe('an upstream problem at the start', () => {
  it('is logged as one line without the key, repeated only when its cause changes', async () => {
    answer = refusing(401, `Incorrect API key provided: ${KEY}`);
    await start(url);
    await askedAgain();
    answer = refusing(503, 'Loading model');
    await askedAgain();
    answer = listing();
    await askedAgain();
    expect(told()).toEqual([
      `the upstream at ${url} does not list its models: the upstream answered with status 401 (Incorrect API key provided: [redacted]). Check UPSTREAM_API_KEY. No model can be served until it does; the gateway retries.`,
      `the upstream at ${url} does not list its models: the upstream answered with status 503 (Loading model). No model can be served until it does; the gateway retries.`,
      `the upstream at ${url} does not list its models: its list of models is empty. No model can be served until it does; the gateway retries.`,
    ]);
  });

  it('is followed by a log line when it ends', async () => {
    answer = refusing(503, 'Loading model');
    await start(url);
    answer = listing('one', 'two');
    await askedAgain();
    expect(told().at(-1)).toBe(`the upstream at ${url} lists its models again`);
    answer = refusing(503, 'Gone');
    await askedAgain();
    expect(told().at(-1)).toContain('(Gone). Its 2 known models are still served; the gateway retries.');
  });

  it('is logged with the reason if the connection is refused', async () => {
    await new Promise((resolve) => server.close(resolve));
    await start(url);
    expect(told()).toEqual([
      expect.stringMatching(/^the upstream at http:\/\/127\.0\.0\.1:\d+\/v1 does not list its models: the upstream could not be reached \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)\. No model/),
    ]);
  });
});
