import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ManualClock } from '@tollgate/adapters-memory';
import { closeRedis, openRedis, type RedisConnection } from '@tollgate/adapters-redis';
import { instant } from '@tollgate/core';
import { type RedisServer, startRedisServer } from '@tollgate/testkit';
import { createLog } from '../../src/observability/create-log.js';
import { type EmbeddedGateway, startEmbeddedGateway } from '../../src/test-support/start-embedded-gateway.js';
import { patiently } from './support/patiently.js';

const PROBE_MILLISECONDS = 500;
const PROBES = 4;
/** Less than the 30 s in which Redis loads its data; a start that does not wait for Redis takes seconds on a busy machine. */
const MAX_START_MILLISECONDS = 20_000;

let server: RedisServer;
let connection: RedisConnection;
let clock: ManualClock;
let logged: string[];
let embedded: EmbeddedGateway;

async function startGateway(): Promise<void> {
  embedded = await startEmbeddedGateway({
    environment: { DATABASE_URL: 'sqlite::memory:', REDIS_URL: server.path },
    services: { clock, log: createLog('info', { write: (line) => void logged.push(String((JSON.parse(line) as { readonly msg: unknown }).msg)) }) },
  });
}

beforeEach(async () => {
  server = await startRedisServer();
  connection = await openRedis({ url: server.path, onError: () => undefined });
  clock = new ManualClock(instant(Date.now()));
  logged = [];
});

afterEach(async () => {
  await embedded.close();
  await closeRedis(connection);
  await server.stop();
});

async function ask(): Promise<number> {
  const { status, body } = await fetch(`${embedded.url}/v1/chat/completions`, {
    method: 'POST', headers: { 'x-api-key': embedded.key, 'content-type': 'application/json' }, body: JSON.stringify({ model: 'sandbox-small', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  await body?.cancel();
  return status;
}

/** Number of writes that Redis has refused, from its own statistics. */
async function refusedWrites(): Promise<number> {
  return Number(/errorstat_READONLY:count=(\d+)/.exec(await connection.info('errorstats'))?.[1] ?? 0);
}

const told = (): readonly string[] => logged.filter((line) => line.includes('Redis'));

async function untilTold(line: RegExp): Promise<void> {
  await patiently(() => {
    if (told().some((each) => line.test(each))) return true;
    clock.advance(PROBE_MILLISECONDS);
    return false;
  });
}

it('a gateway starts and serves while Redis loads its data, logs that, and counts with Redis afterwards', async () => {
  await server.kill();
  await server.restartLoading();
  const startedAt = performance.now();
  await startGateway();
  expect(performance.now() - startedAt).toBeLessThan(MAX_START_MILLISECONDS);
  expect(told()).toHaveLength(1);
  expect(await ask()).toBe(200);
  await untilTold(/^Redis refuses to write: it is loading its data \(LOADING\)/);
  await server.finishLoading();
  await untilTold(/^Redis answers/);
  expect(await ask()).toBe(200);
});

it('writes that Redis refuses are logged as such, once per outage, while requests are served', async () => {
  await startGateway();
  expect(await ask()).toBe(200);
  await connection.call('replicaof', '127.0.0.1', '1');
  expect(await ask()).toBe(200);
  for (let probe = 0; probe < PROBES; probe += 1) {
    const before = await refusedWrites();
    // A probe may find that the connection to the replica is being replaced.
    await patiently(async () => {
      clock.advance(PROBE_MILLISECONDS);
      return await refusedWrites() > before;
    });
    expect(await ask()).toBe(200);
  }
  expect(told()).toEqual([expect.stringMatching(/^Redis refuses to write: it is a read-only replica \(READONLY\)/)]);
  await connection.call('replicaof', 'no', 'one');
  await untilTold(/^Redis answers/);
  expect(told()).toHaveLength(2);
});
