import { describe, expect, it } from '@jest/globals';
import { type BindingLimits, type IncidentLimit, type ModelSlug, type PlanLimits, type ProcessId, tokenCount } from '@tollgate/core';
import { ManualClock } from '@tollgate/adapters-memory';
import { ALICE, AN_INCIDENT, ticketOf, until, WIDE_LIMITS } from '@tollgate/testkit';
import { RedisUnavailable } from './redis-failures.js';
import { admitted, answerTo, demandOf, redisFixture, served, UsageSource } from './test-support/redis-fixture.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

const redis = redisFixture();

const WIDE: BindingLimits = { limits: WIDE_LIMITS, incident: null };

/** Processes that share a Redis, a clock and a database. */
class Cluster {
  readonly clock = new ManualClock();
  readonly usage = new UsageSource();
  readonly failures: unknown[] = [];
  readonly prefix = redis.prefix();
  #processes = 0;

  constructor(private readonly time: 'redis' | 'clock' = 'clock') {}

  async join(patience: 'patient' | 'impatient' = 'patient'): Promise<RedisRateLimiter> {
    return new RedisRateLimiter({
      connection: await redis.connect(patience), usage: this.usage, clock: this.clock, time: this.time, prefix: this.prefix,
      processId: `proc_${this.#processes += 1}` as ProcessId, onCleanUpFailed: (cause) => this.failures.push(cause),
    });
  }
}

async function quotaUsed(limiter: RedisRateLimiter): Promise<{ readonly requests: number; readonly tokens: number }> {
  const { requestsRemaining, tokensRemaining } = await limiter.quota(ALICE, WIDE);
  return { requests: WIDE_LIMITS.requestsPerMinute - requestsRemaining, tokens: WIDE_LIMITS.tokensPerMinute - tokensRemaining };
}

describe('several processes over one Redis', () => {
  it.each<[string, Partial<PlanLimits>, number]>([
    ['requests per minute', { requestsPerMinute: 50 }, 0],
    ['tokens per minute', { tokensPerMinute: tokenCount(500) }, 10],
    ['slots', { concurrentRequests: 50 }, 0],
    ['tokens of a day', { tokensPerDay: tokenCount(500) }, 10],
    ['tokens of a month', { tokensPerMonth: tokenCount(500) }, 10],
  ])('admit together exactly 50 of 600 simultaneous demands if %s suffice for 50', async (_limit, limits, tokens) => {
    const cluster = new Cluster('redis');
    const limiters = [await cluster.join(), await cluster.join(), await cluster.join()];
    const answers = await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 200 }, () => answerTo(limiter, limits, tokens))));
    expect(answers.filter((answer) => answer === 'admitted')).toHaveLength(50);
  });

  it('release each ticket once, whichever of them issued it', async () => {
    const cluster = new Cluster();
    const [first, second] = [await cluster.join(), await cluster.join()];
    const limits = { concurrentRequests: 2, tokensPerDay: tokenCount(100) };
    const ticket = await admitted(first, limits, 10);
    await admitted(first, limits, 10);
    await second.release(ticket, served(30));
    await first.release(ticket, served(30));
    await second.release(ticket, { kind: 'undone' });
    expect(await quotaUsed(first)).toEqual({ requests: 2, tokens: 20 });
    await admitted(second, limits, 10);
    expect(await answerTo(second, limits, 10)).toBe('concurrent-requests');
  });

  it('undo the admission of a token-counting request once, although two of the processes try', async () => {
    const cluster = new Cluster();
    const [first, second] = [await cluster.join(), await cluster.join()];
    await admitted(first);
    const ticket = ticketOf(await first.admit({ ...demandOf({}), kind: 'count' }));
    await second.release(ticket, { kind: 'undone' });
    await first.release(ticket, { kind: 'undone' });
    expect(await quotaUsed(first)).toEqual({ requests: 1, tokens: 0 });
  });

  it.each<[string, Partial<IncidentLimit>, number]>([
    ['requests per minute', { requestsPerMinute: 50 }, 0],
    ['tokens per minute', { tokensPerMinute: tokenCount(500) }, 10],
    ['slots', { concurrentRequests: 50 }, 0],
  ])('admit together exactly 50 of 600 demands for a model if its incident limit suffices for 50 (%s), and all for another', async (_limit, limits, tokens) => {
    const cluster = new Cluster('redis');
    const limiters = [await cluster.join(), await cluster.join(), await cluster.join()];
    const [limited, free] = [{ ...AN_INCIDENT, ...limits }, { ...AN_INCIDENT, model: 'large' as ModelSlug }];
    const asked = limiters.flatMap((limiter) => Array.from({ length: 400 }, (_, number) =>
      limiter.admit({ ...demandOf({}, tokens), incident: number % 2 === 0 ? limited : free })));
    const refused = (await Promise.all(asked)).filter(({ admitted: isAdmitted }) => !isAdmitted);
    expect(refused).toHaveLength(550);
    expect(new Set(refused.map((admission) => !admission.admitted && admission.incidentModel))).toEqual(new Set([AN_INCIDENT.model]));
    expect(await quotaUsed(await cluster.join())).toMatchObject({ requests: 650 });
  });

  it('no longer count an undone request under an incident limit, even if another process admitted it', async () => {
    const cluster = new Cluster();
    const [first, second] = [await cluster.join(), await cluster.join()];
    const incident = { ...AN_INCIDENT, requestsPerMinute: 1, concurrentRequests: 1 };
    const ticket = ticketOf(await first.admit({ ...demandOf({}, 10), incident }));
    expect(await second.admit({ ...demandOf({}), incident })).toMatchObject({ admitted: false, incidentModel: incident.model });
    await second.release(ticket, { kind: 'undone' });
    expect(await first.admit({ ...demandOf({}), incident })).toMatchObject({ admitted: true });
    expect(await second.admit({ ...demandOf({}), incident })).toMatchObject({ admitted: false, incidentModel: incident.model });
  });

  it('keep the slots of an incident limit by renewals, without which they are freed after their leases', async () => {
    const cluster = new Cluster();
    const [first, second] = [await cluster.join(), await cluster.join()];
    const incident = { ...AN_INCIDENT, concurrentRequests: 1 };
    const ticket = ticketOf(await first.admit({ ...demandOf({}), incident }));
    for (let renewal = 0; renewal < 4; renewal += 1) {
      cluster.clock.advance(20_000);
      await first.renew();
      expect(await second.admit({ ...demandOf({}), incident })).toMatchObject({ admitted: false, limit: 'concurrent-requests' });
    }
    expect(first.heldSlots).toBe(1);
    cluster.clock.advance(30_000);
    expect(await second.admit({ ...demandOf({}), incident })).toMatchObject({ admitted: true });
    await first.release(ticket, { kind: 'undone' });
    expect(first.heldSlots).toBe(0);
  });

  it('use the clock of Redis instead of their own', async () => {
    const cluster = new Cluster('redis');
    const limiter = await cluster.join();
    await admitted(limiter, { requestsPerMinute: 1 });
    cluster.clock.advance(86_400_000);
    const refused = await limiter.admit(demandOf({ requestsPerMinute: 1 }));
    expect(refused).toMatchObject({ admitted: false, limit: 'requests-per-minute' });
    expect(refused.quota.requestsResetSeconds).toBeGreaterThan(30);
  });

  it('give every key in Redis an expiry', async () => {
    const cluster = new Cluster();
    const [limiter, connection] = [await cluster.join(), await redis.connect()];
    await limiter.admit({ ...demandOf({}), kind: 'count' });
    const ticket = ticketOf(await limiter.admit({ ...demandOf({ tokensPerDay: tokenCount(100) }, 10), incident: AN_INCIDENT }));
    const lifetimes = async (): Promise<readonly number[]> => {
      const keys = await connection.keys(`${cluster.prefix}*`);
      return Promise.all(keys.map((key) => connection.pttl(key)));
    };
    const afterAdmission = await lifetimes();
    await connection.del(`${cluster.prefix}limits:{${ALICE}}:slots`);
    await limiter.renew();
    for (const found of [afterAdmission, await lifetimes()]) {
      expect(found).toHaveLength(5);
      expect(Math.min(...found)).toBeGreaterThan(0);
      expect(Math.max(...found)).toBeLessThanOrEqual(305_000);
    }
    await limiter.release(ticket, served(1));
    expect(await connection.keys(`${cluster.prefix}*slots`)).toEqual([]);
  });
});

describe('commands of one account in one turn of the event loop', () => {
  const together = 450;

  it('are sent together, in batches of at most 200', async () => {
    const cluster = new Cluster('redis');
    const [limiter, connection] = [await cluster.join(), await redis.connect()];
    const scriptsRun = async (): Promise<number> => {
      const statistics = await connection.info('commandstats');
      return [...statistics.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
    };
    const before = await scriptsRun();
    const tickets = await Promise.all(Array.from({ length: together }, () => admitted(limiter)));
    expect(await scriptsRun() - before).toBe(3);
    await Promise.all(tickets.map((ticket) => limiter.release(ticket, { kind: 'undone' })));
    expect(await scriptsRun() - before).toBe(6);
    expect(await quotaUsed(limiter)).toEqual({ requests: 0, tokens: 0 });
    expect(new Set(tickets).size).toBe(together);
  });

  it('are decided in order, so that a demand that is too large does not exclude a later one that fits', async () => {
    const limiter = await new Cluster().join();
    const limits = { tokensPerMinute: tokenCount(100) };
    const answers = await Promise.all([60, 50, 30, 20, 10].map((tokens) => answerTo(limiter, limits, tokens)));
    expect(answers).toEqual(['admitted', 'tokens-per-minute', 'admitted', 'tokens-per-minute', 'admitted']);
  });

  it('count earlier admissions of the same turn towards daily and monthly caps', async () => {
    const limiter = await new Cluster().join();
    await answerTo(limiter, { tokensPerDay: tokenCount(100) }, 1);
    const demands = [[60, {}], [30, { tokensPerDay: tokenCount(100) }], [10, { tokensPerDay: tokenCount(100) }], [9, { tokensPerMonth: tokenCount(100) }]] as const;
    const answers = await Promise.all(demands.map(([tokens, limits]) => answerTo(limiter, limits, tokens)));
    expect(answers).toEqual(['admitted', 'admitted', 'tokens-per-day', 'admitted']);
  });
});

describe('concurrency slots', () => {
  it('of a dead process are freed 30 s after its last renewal, with the daily tokens of their requests', async () => {
    const cluster = new Cluster();
    const [dead, alive] = [await cluster.join(), await cluster.join()];
    const limits = { concurrentRequests: 1, tokensPerDay: tokenCount(100) };
    await admitted(dead, limits, 100);
    cluster.clock.advance(10_000);
    await dead.renew();
    cluster.clock.advance(29_999);
    expect(await answerTo(alive, limits, 1)).toBe('concurrent-requests');
    cluster.clock.advance(1);
    expect(await answerTo(alive, limits, 100)).toBe('admitted');
  });

  it('are renewed every 10 s from the start of the limiter until its stop', async () => {
    const cluster = new Cluster();
    const limiter = await cluster.join();
    const connection = await redis.connect();
    const expiry = async (): Promise<number> => {
      const key = `${cluster.prefix}limits:{${ALICE}}:slots`;
      const [member] = await connection.zrange(key, '0', '0');
      return Number(await connection.zscore(key, member ?? ''));
    };
    await admitted(limiter);
    limiter.start();
    for (let renewal = 0; renewal < 6; renewal += 1) {
      cluster.clock.advance(10_000);
      await until(async () => await expiry() === cluster.clock.now() + 30_000);
      // This reply comes after that of the renewal. Without it, the process could skip the next renewal.
      await limiter.quota(ALICE, WIDE);
      await new Promise(setImmediate);
    }
    expect(await answerTo(limiter, { concurrentRequests: 1 })).toBe('concurrent-requests');
    limiter.stop();
    expect(cluster.clock.pendingTasks).toBe(0);
  });

  it('are restored by the first renewal after Redis lost its data, with the token estimates of running requests', async () => {
    const cluster = new Cluster();
    const [limiter, connection] = [await cluster.join(), await redis.connect()];
    const limits = { concurrentRequests: 2, tokensPerDay: tokenCount(1_000) };
    const first = await admitted(limiter, limits, 300);
    await admitted(limiter, limits, 300);
    await connection.flushall();
    await limiter.renew();
    expect(await answerTo(limiter, limits)).toBe('concurrent-requests');
    const wider = { ...limits, concurrentRequests: 3 };
    expect(await answerTo(limiter, wider, 401)).toBe('tokens-per-day');
    expect(await answerTo(limiter, wider, 400)).toBe('admitted');
    await limiter.release(first, served(300));
    expect(await answerTo(limiter, wider, 1)).toBe('tokens-per-day');
    expect(cluster.failures).toEqual([]);
  });

  it('that were released after Redis lost them stay free', async () => {
    const cluster = new Cluster();
    const [limiter, connection] = [await cluster.join(), await redis.connect()];
    const ticket = await admitted(limiter);
    await connection.flushall();
    await limiter.release(ticket, served(5));
    await limiter.renew();
    expect(await answerTo(limiter, { concurrentRequests: 1 })).toBe('admitted');
  });
});

describe('the counts of daily and monthly tokens', () => {
  const limits = { tokensPerDay: tokenCount(100) };

  it('are not read for every request when several processes start together', async () => {
    const cluster = new Cluster();
    cluster.usage.used = 40;
    const limiters = [await cluster.join(), await cluster.join(), await cluster.join()];
    const answers = await Promise.all(limiters.flatMap((limiter) => Array.from({ length: 20 }, () => answerTo(limiter, limits, 10))));
    expect(answers.filter((answer) => answer === 'admitted')).toHaveLength(6);
    expect(cluster.usage.reads).toBeLessThan(12);
  });

  it('include a request that ends in another process during the read', async () => {
    const cluster = new Cluster();
    const [first, second] = [await cluster.join(), await cluster.join()];
    const running = await admitted(first);
    cluster.usage.isHeldBack = true;
    const waiting = answerTo(second, limits, 6);
    await until(() => cluster.usage.waiting === 1);
    cluster.usage.used = 95;
    await first.release(running, served(95));
    cluster.usage.answer();
    expect(await waiting).toBe('tokens-per-day');
    expect(await answerTo(second, limits, 5)).toBe('admitted');
    expect(cluster.usage.reads).toBe(2);
  });

  it('are taken from the read that answers first, and include requests that ended after it', async () => {
    const cluster = new Cluster();
    const [first, second] = [await cluster.join(), await cluster.join()];
    cluster.usage.isHeldBack = true;
    const late = answerTo(second, limits, 51);
    await until(() => cluster.usage.waiting === 1);
    cluster.usage.isHeldBack = false;
    const ticket = await admitted(first, limits, 10);
    cluster.usage.used = 50;
    await first.release(ticket, served(50));
    cluster.usage.answer();
    expect(await late).toBe('tokens-per-day');
    expect(await answerTo(second, limits, 50)).toBe('admitted');
  });

  it('are read again after Redis lost them', async () => {
    const cluster = new Cluster();
    const [limiter, connection] = [await cluster.join(), await redis.connect()];
    await admitted(limiter, limits, 90);
    cluster.usage.used = 80;
    await connection.flushall();
    expect(await answerTo(limiter, limits, 21)).toBe('tokens-per-day');
    expect(await answerTo(limiter, limits, 20)).toBe('admitted');
  });

  it('include recorded charges after at most 5 minutes, even if no release reported them', async () => {
    const cluster = new Cluster();
    const limiter = await cluster.join();
    await limiter.release(await admitted(limiter, limits, 1), served(0));
    cluster.usage.used = 99;
    cluster.clock.advance(299_999);
    await limiter.release(await admitted(limiter, limits, 2), { kind: 'unserved' });
    cluster.clock.advance(1);
    expect(await answerTo(limiter, limits, 2)).toBe('tokens-per-day');
  });

  it('are read again before a request is refused, but at most once in 10 s', async () => {
    const cluster = new Cluster();
    const limiter = await cluster.join();
    await limiter.release(await admitted(limiter, limits, 90), served(90));
    expect(await answerTo(limiter, limits, 50)).toBe('tokens-per-day');
    cluster.clock.advance(10_000);
    expect(await answerTo(limiter, limits, 50)).toBe('admitted');
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await answerTo(limiter, limits, 51)).toBe('tokens-per-day');
    expect(cluster.usage.reads).toBe(2);
  });

  it('are read again if a request ends after its lease, and include that request once', async () => {
    const cluster = new Cluster();
    const limiter = await cluster.join();
    const ticket = await admitted(limiter, limits, 10);
    cluster.clock.advance(30_000);
    await admitted(limiter, limits, 10);
    expect(await answerTo(limiter, limits, 100)).toBe('tokens-per-day');
    cluster.usage.used = 60;
    await limiter.release(ticket, served(60));
    await limiter.release(ticket, served(60));
    expect(await answerTo(limiter, limits, 31)).toBe('tokens-per-day');
    expect(await answerTo(limiter, limits, 30)).toBe('admitted');
  });

  it('do not keep a request waiting for ever, although other requests end during every read', async () => {
    const cluster = new Cluster();
    const [first, second] = [await cluster.join(), await cluster.join()];
    const tickets = await Promise.all(Array.from({ length: 6 }, () => admitted(first)));
    cluster.usage.isHeldBack = true;
    const waiting = answerTo(second, limits, 1);
    for (const ticket of tickets) {
      await until(() => cluster.usage.waiting > 0);
      await first.release(ticket, served(1));
      cluster.usage.answer();
      cluster.usage.isHeldBack = true;
    }
    expect(await waiting).toBe('admitted');
    expect(cluster.usage.reads).toBe(6);
  });
});

describe('a limiter with a failing Redis', () => {
  it('sends its scripts again after Redis lost them', async () => {
    const cluster = new Cluster();
    const [limiter, connection] = [await cluster.join(), await redis.connect()];
    const ticket = await admitted(limiter);
    await connection.script('FLUSH');
    await limiter.release(ticket, { kind: 'undone' });
    expect(await quotaUsed(limiter)).toEqual({ requests: 0, tokens: 0 });
    await connection.script('FLUSH');
    await admitted(limiter);
  });

  it('rejects demands within the timeout while Redis hangs, and does not count them afterwards', async () => {
    const cluster = new Cluster();
    const limiter = await cluster.join('impatient');
    await admitted(limiter, {}, 7);
    redis.server().pause();
    const startedAt = performance.now();
    await expect(limiter.admit(demandOf({}, 5))).rejects.toThrow(RedisUnavailable);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    redis.server().resume();
    await until(async () => {
      const used = await quotaUsed(limiter).catch(() => null);
      return used !== null && used.requests === 1 && used.tokens === 7;
    });
    expect(await answerTo(limiter, { concurrentRequests: 2 })).toBe('admitted');
  });

  it('rejects demands immediately while Redis is down, and still holds earlier slots after its restart', async () => {
    const cluster = new Cluster();
    const limiter = await cluster.join();
    const ticket = await admitted(limiter);
    await redis.server().kill();
    await expect(limiter.admit(demandOf({}))).rejects.toThrow(RedisUnavailable);
    await limiter.renew();
    expect(cluster.failures.length).toBeGreaterThan(0);
    await redis.server().restart();
    await until(() => limiter.quota(ALICE, WIDE).then(() => true, () => false));
    await limiter.renew();
    expect(await answerTo(limiter, { concurrentRequests: 1 })).toBe('concurrent-requests');
    await limiter.release(ticket, served(1));
    expect(await answerTo(limiter, { concurrentRequests: 1 })).toBe('admitted');
  });
});
