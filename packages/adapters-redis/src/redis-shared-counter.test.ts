import { expect, it } from '@jest/globals';
import { sharedCounterContract } from '@tollgate/testkit';
import { closeRedis } from './redis-connection.js';
import { redisFixture } from './test-support/redis-fixture.js';
import { RedisSharedCounter } from './redis-shared-counter.js';

const redis = redisFixture();
const MINUTE = 60_000;

sharedCounterContract('Redis', async () => new RedisSharedCounter({ connection: await redis.connect(), prefix: redis.prefix() }));

it('the counts of several gateways are added up, per name, in windows of a minute', async () => {
  const prefix = redis.prefix();
  const counters = await Promise.all([1, 2].map(async () => new RedisSharedCounter({ connection: await redis.connect(), prefix })));
  const [first, second] = counters;
  expect(await first?.add('alice', 3, MINUTE)).toEqual({ total: 3, endsInMilliseconds: expect.any(Number) });
  const seen = await second?.add('alice', 30, MINUTE);
  expect(seen?.total).toBe(33);
  expect(seen?.endsInMilliseconds).toBeGreaterThan(0);
  expect(seen?.endsInMilliseconds).toBeLessThanOrEqual(MINUTE);
  expect((await second?.add('bob', 1, MINUTE))?.total).toBe(1);
});

it('every concurrent call is counted', async () => {
  const counter = new RedisSharedCounter({ connection: await redis.connect(), prefix: redis.prefix() });
  const counts = await Promise.all(Array.from({ length: 100 }, () => counter.add('alice', 2, MINUTE)));
  expect(Math.max(...counts.map(({ total }) => total))).toBe(200);
});

it('the counter gives its keys in Redis an expiry', async () => {
  const [connection, prefix] = [await redis.connect(), redis.prefix()];
  await new RedisSharedCounter({ connection, prefix }).add('alice', 1, MINUTE);
  const [key] = await connection.keys(`${prefix}*`);
  expect(await connection.pttl(key ?? '')).toBeGreaterThan(0);
});

it('the counter fails while Redis is unavailable', async () => {
  const connection = await redis.connect();
  await closeRedis(connection);
  await expect(new RedisSharedCounter({ connection }).add('alice', 1, MINUTE)).rejects.toThrow('not ready');
});
