import { describe, expect, it } from '@jest/globals';
import { closeRedis, openRedis } from '@tollgate/adapters-redis';
import { tokenCount } from '@tollgate/core';
import { type NetworkProxy, type RedisServer, startNetworkProxy, startRedisServer } from '@tollgate/testkit';
import { addCaller, type TestCaller } from '../../src/test-support/start-test-gateway.js';
import { ask, type Outcome, WAYS } from './support/ask.js';
import { patiently } from './support/patiently.js';
import { atTheSameTime } from './support/at-the-same-time.js';
import { assertSound } from './support/assert-sound.js';
import { type FaultPostgres, startFaultPostgres } from './support/fault-database.js';
import { FaultWorld, type FaultWorldOptions, LIMITED_PLAN, LIMITED_REQUESTS, REPLY } from './support/fault-world.js';

interface RedisUnderTest {
  readonly server: RedisServer;
  readonly network: NetworkProxy;
}

interface Outage {
  readonly name: string;
  readonly begin: (redis: RedisUnderTest) => Promise<void> | void;
  readonly end: (redis: RedisUnderTest) => Promise<void> | void;
}

/** Bytes by which the network recognises an admission, the only command with two empty arguments in a row. */
const ADMISSION = '$0\r\n\r\n$0\r\n\r\n';

/** Cuts the network between an admission and its reply: Redis has taken the slot, but the gateway does not know. */
async function loseAnAdmission({ network }: RedisUnderTest): Promise<void> {
  network.loseNextReplyTo(ADMISSION);
  await patiently(() => network.lostReplies() === 1);
  network.blackHole();
}

const OUTAGES: readonly Outage[] = [
  { name: 'killed', begin: ({ server }) => server.kill(), end: ({ server }) => server.restart() },
  { name: 'paused', begin: ({ server }) => server.pause(), end: ({ server }) => server.resume() },
  { name: 'black-holed', begin: loseAnAdmission, end: ({ network }) => network.heal() },
];

const GATEWAYS = 2;
const TEST_MILLISECONDS = 240_000;
/** A command times out after 250 ms; the rest of the time is for busy machines. */
const MAX_MILLISECONDS = 20_000;
const CLIENTS = 4;
const LIMIT = LIMITED_REQUESTS;

async function flush({ server }: RedisUnderTest): Promise<void> {
  const connection = await openRedis({ url: server.path, onError: () => undefined });
  await connection.flushall();
  await closeRedis(connection);
}

async function withWorld(options: Omit<FaultWorldOptions, 'database'>, test: (world: FaultWorld, redis: RedisUnderTest) => Promise<void>): Promise<void> {
  const [database, server]: readonly [FaultPostgres, RedisServer] = await Promise.all([startFaultPostgres(), startRedisServer()]);
  const network = await startNetworkProxy(server.path);
  const world = await FaultWorld.start({ database, gateways: GATEWAYS, environment: { REDIS_URL: `redis://127.0.0.1:${network.port}` }, ...options });
  try {
    await test(world, { server, network });
  } finally {
    server.resume();
    await world.close();
    await network.stop();
    await server.stop();
  }
}

/** Sends concurrent requests, spread over gateways, formats and deliveries. */
function together(world: FaultWorld, { key }: TestCaller, count: number): Promise<readonly Outcome[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => (
    ask({ url: world.urls[Math.floor(number / WAYS) % GATEWAYS] ?? '', key, model: 'small', number }))));
}

function servedOf(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ status }) => status === 200).length;
}

/** Replies that are neither served nor refused with 429, this code and a retry time. */
function wrongRefusals(outcomes: readonly Outcome[], code: string): readonly Outcome[] {
  return outcomes.filter(({ status, ...outcome }) => status !== 200
    && (status !== 429 || outcome.code !== code || !/^[1-9]\d*$/.test(outcome.retryAfter ?? '') || outcome.envelope !== (outcome.format === 'messages' ? 'error' : null)));
}

async function everyGatewayCounts(world: FaultWorld, where: 'by itself' | 'with the others'): Promise<void> {
  const expected = where === 'by itself' ? 1 : 0;
  await patiently(async () => {
    const found = await Promise.all(world.gateways.map((gateway) => world.metric('tollgate_limiter_fallback', gateway)));
    return found.every((value) => value === expected);
  });
}

/** Resolves once both gateways have seen each other's announcement, from which they compute their shares of the limits. */
async function knowEachOther({ server }: RedisUnderTest): Promise<void> {
  const connection = await openRedis({ url: server.path, onError: () => undefined });
  const announced = async (): Promise<ReadonlySet<string>> => new Set(await connection.zrange('tollgate:instances', '0', '-1', 'WITHSCORES'));
  await patiently(async () => (await announced()).size === 2 * GATEWAYS);
  const first = await announced();
  await patiently(async () => [...await announced()].filter((text) => first.has(text)).length === GATEWAYS);
  await closeRedis(connection);
}

describe('in each kind of outage of Redis,', () => {
  it('no client gets an error under load and requests are charged once; the gateways together stay within one limit', async () => {
    await atTheSameTime(OUTAGES, async ({ begin, end }) => {
      await withWorld({}, async (world, redis) => {
        const limited = await addCaller(world.first, 'limited', { credit: '1000', planId: LIMITED_PLAN });
        await knowEachOther(redis);
        const load = world.load(CLIENTS);
        await patiently(() => load.outcomes.length > 20);
        const before = await together(world, limited, 2 * LIMIT);
        await begin(redis);
        const during = [...await together(world, limited, 4 * LIMIT), ...await together(world, limited, 2 * LIMIT)];
        await everyGatewayCounts(world, 'by itself');
        const unshared = load.outcomes.length;
        await patiently(() => load.outcomes.length > unshared + 20);
        await world.readiness(200);
        await end(redis);
        await everyGatewayCounts(world, 'with the others');
        const shared = load.outcomes.length;
        await patiently(() => load.outcomes.length > shared + 20);
        const outcomes = await load.stop();
        expect(outcomes.filter(({ status, code, text }) => status !== 200 || code !== null || text !== REPLY)).toEqual([]);
        expect(Math.max(...outcomes.map(({ milliseconds }) => milliseconds))).toBeLessThan(MAX_MILLISECONDS);
        expect(wrongRefusals([...before, ...during], 'rate_limit_exceeded')).toEqual([]);
        expect(servedOf(during)).toBeGreaterThan(0);
        expect(servedOf(during)).toBeLessThanOrEqual(LIMIT);
        // Promise P10 applies in the minute of the outage too: Redis grants the limit once, and all gateways together grant it once more.
        expect(servedOf([...before, ...during])).toBeLessThanOrEqual(LIMIT * GATEWAYS);
        await assertSound(world, outcomes);
      });
    });
  }, TEST_MILLISECONDS);
});

describe('when Redis is emptied,', () => {
  it('no client gets an error under load, requests are charged once, and slots are released', async () => {
    await withWorld({}, async (world, redis) => {
      const load = world.load(CLIENTS);
      for (let time = 0; time < 3; time += 1) {
        const before = load.outcomes.length;
        await patiently(() => load.outcomes.length > before + 20);
        await flush(redis);
      }
      const outcomes = await load.stop();
      expect(outcomes.filter(({ status, code, text }) => status !== 200 || code !== null || text !== REPLY)).toEqual([]);
      await assertSound(world, outcomes);
    });
  }, TEST_MILLISECONDS);

  it('every gateway continues the count of daily tokens from the figures in the database', async () => {
    // A request reserves 102 tokens and uses 37. With five counted, a sixth does not fit; it would if one were forgotten.
    await withWorld({ limits: { tokensPerDay: tokenCount(5 * 37 + 101) } }, async (world, redis) => {
      const served: Outcome[] = [];
      for (let number = 0; number < 5; number += 1) {
        served.push(await ask({ url: world.urls[number % GATEWAYS] ?? '', key: world.caller.key, model: 'small', number }));
        await flush(redis);
      }
      expect(served.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      const refused = await together(world, world.caller, 8);
      expect(servedOf(refused)).toBe(0);
      expect(wrongRefusals(refused, 'daily_limit_exceeded')).toEqual([]);
    });
  }, TEST_MILLISECONDS);

  it('running requests get their slots back within ten seconds', async () => {
    await withWorld({ limits: { concurrentRequests: WAYS } }, async (world, redis) => {
      const running = world.askAllWays('halting');
      await patiently(() => world.provider.calls.length === WAYS);
      await flush(redis);
      await patiently(async () => {
        const { status } = await ask({ url: world.first.url, key: world.caller.key, model: 'small', number: 0 });
        return status === 429;
      });
      world.release();
      expect((await Promise.all(running)).map(({ status, code }) => [status, code])).toEqual(running.map(() => [200, null]));
      expect((await ask({ url: world.first.url, key: world.caller.key, model: 'small', number: 0 })).status).toBe(200);
    });
  }, TEST_MILLISECONDS);
});
