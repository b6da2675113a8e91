import { describe, expect, it } from '@jest/globals';
import type { ProcessId } from '@tollgate/core';
import { ManualClock } from '@tollgate/adapters-memory';
import { until } from '@tollgate/testkit';
import { redisFixture } from './test-support/redis-fixture.js';
import { LiveInstances } from './live-instances.js';

const redis = redisFixture();

class Cluster {
  readonly clock = new ManualClock();
  readonly failures: unknown[] = [];
  readonly prefix = redis.prefix();
  #processes = 0;

  async join(): Promise<LiveInstances> {
    const instances = new LiveInstances({
      connection: await redis.connect(), clock: this.clock, prefix: this.prefix,
      processId: `proc_${this.#processes += 1}` as ProcessId, onAnnouncementFailed: (cause) => this.failures.push(cause),
    });
    await instances.start();
    return instances;
  }
}

describe('LiveInstances', () => {
  it('counts every process from its start until it stops', async () => {
    const cluster = new Cluster();
    const [first, second, third] = [await cluster.join(), await cluster.join(), await cluster.join()];
    expect([first.count, second.count, third.count]).toEqual([1, 2, 3]);
    cluster.clock.advance(5_000);
    await until(() => first.count === 3 && second.count === 3);
    await third.stop();
    cluster.clock.advance(5_000);
    await until(() => first.count === 2 && second.count === 2);
    expect(cluster.failures).toEqual([]);
  });

  it('counts a dead process until its lease ends after 15 s', async () => {
    const cluster = new Cluster();
    const [alive, connection] = [await cluster.join(), await redis.connect()];
    const key = `${cluster.prefix}instances`;
    const [seconds = 0] = await connection.time();
    const now = seconds * 1_000;
    await connection.zadd(key, now + 15_000, 'proc_died_now', now - 1, 'proc_died_15_s_ago');
    await alive.announce();
    expect(alive.count).toBe(2);
    expect(await connection.pttl(key)).toBeGreaterThan(0);
  });

  it('returns the last count while Redis is unavailable, reports the failure, and announces the process again afterwards', async () => {
    const cluster = new Cluster();
    const [first] = [await cluster.join(), await cluster.join()];
    await first.announce();
    await redis.server().kill();
    await first.announce();
    expect(first.count).toBe(2);
    expect(cluster.failures.length).toBeGreaterThan(0);
    await redis.server().restart();
    await until(async () => {
      await first.announce();
      return first.count === 1;
    });
  });
});
