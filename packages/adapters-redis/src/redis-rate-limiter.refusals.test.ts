import { describe, expect, it } from '@jest/globals';
import { ManualClock, MemoryRateLimiter } from '@tollgate/adapters-memory';
import type { ProcessId } from '@tollgate/core';
import { until } from '@tollgate/testkit';
import { FallbackRateLimiter } from './fallback-rate-limiter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';
import { redisRefusalOf } from './redis-failures.js';
import { demandOf, redisFixture, UsageSource } from './test-support/redis-fixture.js';

const redis = redisFixture();

describe('a Redis that refuses writes', () => {
  it.each<[string, readonly string[], readonly string[], string, ...string[]]>([
    ['a read-only replica', ['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one'], 'it is a read-only replica (READONLY)'],
    ['a replica without its master', ['replicaof', '127.0.0.1', '2'], ['replicaof', 'no', 'one'], 'it has lost its master (MASTERDOWN)', 'it is a read-only replica (READONLY)'],
    ['a master without enough replicas', ['config', 'set', 'min-replicas-to-write', '1'], ['config', 'set', 'min-replicas-to-write', '0'], 'it has too few replicas (NOREPLICAS)'],
  ])('is reported as %s, and limits stay local until it accepts writes', async (_, ...[begin, end, ...refusals]) => {
    const [clock, usage, connection, operator] = [new ManualClock(), new UsageSource(), await redis.connect(), await redis.connect()];
    const call = ([command = '', ...values]: readonly string[]): Promise<unknown> => operator.call(command, ...values);
    const news: unknown[] = [];
    let probes = 0;
    const prefix = redis.prefix();
    const shared = new RedisRateLimiter({ connection, usage, clock, time: 'clock', prefix, processId: 'proc_1' as ProcessId, onCleanUpFailed: () => undefined });
    const limiter = new FallbackRateLimiter({
      shared, clock, scaleLimits: (binding) => binding, makeLocal: () => new MemoryRateLimiter({ clock, usage }),
      probe: () => connection.set(`${prefix}probe`, '1', 'PX', 1_000).finally(() => {
        probes += 1;
      }),
      report: { fellBack: (_cause, why) => news.push(why), refused: (refusal) => news.push(refusal), recovered: () => news.push('recovered') },
    });
    await operator.config('SET', 'replica-serve-stale-data', refusals.length > 1 ? 'no' : 'yes');
    await call(begin);
    try {
      expect((await limiter.admit(demandOf({}))).admitted).toBe(true);
      // A probe may find that the connection to a replica is being replaced.
      await until(() => {
        clock.advance(500);
        return probes >= 3 && news.length >= refusals.length;
      });
      expect([limiter.isLocal, news]).toEqual([true, refusals]);
    } finally {
      await call(end);
    }
    await until(() => {
      clock.advance(500);
      return !limiter.isLocal;
    });
    expect(news).toEqual([...refusals, 'recovered']);
    limiter.stop();
  });

  it('is distinguished from one that does not respond', () => {
    expect(redisRefusalOf(new Error('connect ECONNREFUSED'))).toBeNull();
    expect(redisRefusalOf(new Error('MISCONF Redis is configured to save RDB snapshots'))).toBe('it cannot save to its disk (MISCONF)');
    expect(redisRefusalOf(new Error("OOM command not allowed when used memory > 'maxmemory'"))).toBe('its memory is full (OOM)');
    expect(redisRefusalOf(new Error('CLUSTERDOWN The cluster is down'))).toBe('its cluster does not serve all keys (CLUSTERDOWN)');
    expect(redisRefusalOf(new Error('Redis is not connected: WRONGPASS invalid username-password pair or user is disabled.'))).toBe('it does not accept the user or password (WRONGPASS)');
    expect(redisRefusalOf(new Error('LOADING Redis is loading the dataset in memory'))).toBe('it is loading its data (LOADING)');
  });
});
