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

let server: RedisServer;
let connection: RedisConnection;
let clock: ManualClock;
let logged: string[];
let embedded: EmbeddedGateway;

beforeEach(async () => {
  server = await startRedisServer();
  connection = await openRedis({ url: server.path, onError: () => undefined });
  clock = new ManualClock(instant(Date.now()));
  logged = [];
  const log = createLog('info', { write: (line) => void logged.push(String((JSON.parse(line) as { readonly msg: unknown }).msg)) });
  embedded = await startEmbeddedGateway({ environment: { DATABASE_URL: 'sqlite::memory:', REDIS_URL: server.path }, services: { clock, log } });
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

it('writes that Redis refuses are logged as such, once per outage, while requests are served', async () => {
  expect(await ask()).toBe(200);
  await connection.call('replicaof', '127.0.0.1', '1');
  expect(await ask()).toBe(200);
  for (let probe = 0; probe < PROBES; probe += 1) {
    const before = await refusedWrites();
    clock.advance(PROBE_MILLISECONDS);
    await patiently(async () => await refusedWrites() > before);
    expect(await ask()).toBe(200);
  }
  const told = (): readonly string[] => logged.filter((line) => line.includes('Redis'));
  expect(told()).toEqual([expect.stringMatching(/^Redis refuses to write: it is a read-only replica \(READONLY\)/)]);
  await connection.call('replicaof', 'no', 'one');
  await patiently(() => {
    clock.advance(PROBE_MILLISECONDS);
    return told().length > 1;
  });
  expect(told()).toHaveLength(2);
});
