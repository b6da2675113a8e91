import { describe, expect, it } from '@jest/globals';
import { type BindingLimits, type IncidentLimit, later, type PlanLimits, type ProcessId, tokenCount } from '@tollgate/core';
import { ManualClock, MemoryRateLimiter } from '@tollgate/adapters-memory';
import { ALICE, AN_INCIDENT, type NetworkProxy, rateLimiterContract, startNetworkProxy, until, WIDE_LIMITS } from '@tollgate/testkit';
import { closeRedis, openRedis, type RedisConnection } from './redis-connection.js';
import { accountKeys } from './limiter-keys.js';
import { RedisRateLimiter, type TokensUsedSource } from './redis-rate-limiter.js';
import { admitted, answerTo, demandOf, redisFixture, served, UsageSource } from './test-support/redis-fixture.js';
import { FallbackRateLimiter, shareOfLimits } from './fallback-rate-limiter.js';

const redis = redisFixture();
const INSTANCES = 2;

interface Setting {
  readonly clock: ManualClock;
  readonly usage: TokensUsedSource;
  readonly connection: RedisConnection;
  readonly scaleLimits: (binding: BindingLimits) => BindingLimits;
}

interface Subject {
  readonly limiter: FallbackRateLimiter;
  readonly shared: RedisRateLimiter;
  readonly prefix: string;
  readonly news: string[];
  /** Number of finished probes. */
  readonly probes: () => number;
}

function fallbackOver({ clock, usage, connection, scaleLimits }: Setting): Subject {
  const news: string[] = [];
  let probes = 0;
  const prefix = redis.prefix();
  const shared = new RedisRateLimiter({
    connection, usage, clock, time: 'clock', prefix, processId: 'proc_1' as ProcessId, onCleanUpFailed: () => undefined,
  });
  const limiter = new FallbackRateLimiter({
    shared, scaleLimits, clock,
    makeLocal: () => new MemoryRateLimiter({ clock, usage }),
    probe: () => connection.ping().finally(() => {
      probes += 1;
    }),
    report: { fellBack: () => news.push('fell back'), refused: (refusal) => news.push(refusal), recovered: () => news.push('recovered') },
  });
  return { limiter, shared, prefix, news, probes: () => probes };
}

async function startSubject(): Promise<Subject & { readonly clock: ManualClock; readonly usage: UsageSource }> {
  const [clock, usage] = [new ManualClock(), new UsageSource()];
  const scaleLimits = (binding: BindingLimits): BindingLimits => shareOfLimits(binding, INSTANCES);
  return { ...fallbackOver({ clock, usage, connection: await redis.connect('impatient'), scaleLimits }), clock, usage };
}

/** Runs probes until one has succeeded. */
async function recovery({ limiter, clock, probes }: Subject & { readonly clock: ManualClock }): Promise<void> {
  while (limiter.isLocal) {
    const before = probes();
    clock.advance(500);
    await until(() => probes() > before);
  }
}

const wholeLimits = (binding: BindingLimits): BindingLimits => binding;

rateLimiterContract('Redis behind the fallback', async ({ startAt, tokensUsed }) => {
  const clock = new ManualClock(startAt);
  const { limiter, shared } = fallbackOver({ clock, usage: { tokensUsed }, connection: await redis.connect(), scaleLimits: wholeLimits });
  return {
    limiter,
    advance: async (milliseconds) => {
      clock.advance(milliseconds);
      await shared.renew();
    },
  };
});

rateLimiterContract('memory while Redis is away', async ({ startAt, tokensUsed }) => {
  const clock = new ManualClock(startAt);
  const connection = await redis.connect();
  await closeRedis(connection);
  const { limiter } = fallbackOver({ clock, usage: { tokensUsed }, connection, scaleLimits: wholeLimits });
  // Sets the clock without running the probes, all of which would fail.
  return { limiter, advance: (milliseconds) => clock.set(later(clock.now(), milliseconds)) };
});

describe('FallbackRateLimiter', () => {
  it('decides all requests during an outage within one command’s timeout, by this process’s share of the limits', async () => {
    const subject = await startSubject();
    redis.server().pause();
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, () => answerTo(subject.limiter, { requestsPerMinute: 60 })));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(answers.filter((answer) => answer === 'admitted')).toHaveLength(30);
    expect(subject.news).toEqual(['fell back']);
    redis.server().resume();
    await recovery(subject);
    expect(subject.news).toEqual(['fell back', 'recovered']);
  });

  it('sends no command to Redis after the first timeout, until a probe succeeds', async () => {
    const subject = await startSubject();
    redis.server().pause();
    await admitted(subject.limiter);
    // If these requests asked Redis, each would wait 250 ms, until the connection is closed after almost 2 s.
    const startedAt = performance.now();
    for (let request = 0; request < 50; request += 1) await admitted(subject.limiter);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect((await subject.limiter.quota(ALICE, { limits: WIDE_LIMITS, incident: null })).requestsLimit).toBe(WIDE_LIMITS.requestsPerMinute / INSTANCES);
    redis.server().resume();
    await recovery(subject);
    expect(await subject.limiter.quota(ALICE, { limits: WIDE_LIMITS, incident: null })).toMatchObject({ requestsLimit: WIDE_LIMITS.requestsPerMinute });
  });

  it('releases local slots during an outage, and slots in Redis after it', async () => {
    const subject = await startSubject();
    const limits = { concurrentRequests: 2 };
    const shared = await admitted(subject.limiter, limits);
    redis.server().pause();
    const local = await admitted(subject.limiter, limits);
    expect(await answerTo(subject.limiter, limits)).toBe('concurrent-requests');
    await subject.limiter.release(shared, served(1));
    expect(await answerTo(subject.limiter, limits)).toBe('concurrent-requests');
    await subject.limiter.release(local, served(1));
    const next = await admitted(subject.limiter, limits);
    redis.server().resume();
    await recovery(subject);
    await until(async () => await answerTo(subject.shared, { concurrentRequests: 1 }) === 'admitted');
    await subject.limiter.release(next, served(1));
    expect(await answerTo(subject.shared, { concurrentRequests: 2 })).toBe('admitted');
  });

  it('falls back at its start if Redis hangs, before a request waits for Redis', async () => {
    const subject = await startSubject();
    await subject.limiter.start();
    expect(subject.limiter.isLocal).toBe(false);
    redis.server().pause();
    await subject.limiter.start();
    expect([subject.limiter.isLocal, subject.news]).toEqual([true, ['fell back']]);
    redis.server().resume();
    await recovery(subject);
  });

  it('falls back when Redis is killed, and recovers when it restarts', async () => {
    const subject = await startSubject();
    await admitted(subject.limiter);
    await redis.server().kill();
    expect(await answerTo(subject.limiter, { concurrentRequests: 2 })).toBe('admitted');
    expect(subject.limiter.isLocal).toBe(true);
    await redis.server().restart();
    await recovery(subject);
    await admitted(subject.limiter);
    expect(await subject.shared.quota(ALICE, { limits: WIDE_LIMITS, incident: null })).toMatchObject({ requestsRemaining: WIDE_LIMITS.requestsPerMinute - 1 });
  });

  it('sends a release to Redis after the outage during which it was requested', async () => {
    const subject = await startSubject();
    const ticket = await admitted(subject.limiter);
    redis.server().pause();
    await subject.limiter.release(ticket, served(1));
    expect(subject.news).toEqual(['fell back']);
    redis.server().resume();
    await recovery(subject);
    await until(async () => await answerTo(subject.shared, { concurrentRequests: 1 }) === 'admitted');
  });

  it('continues its counts if another outage follows within a minute, and starts with empty windows otherwise', async () => {
    const subject = await startSubject();
    const limits = { requestsPerMinute: 4, concurrentRequests: 1_000 };
    const outage = async (during: () => Promise<void>): Promise<void> => {
      redis.server().pause();
      await during();
      redis.server().resume();
      await recovery(subject);
    };
    await outage(async () => {
      expect(await answerTo(subject.limiter, limits)).toBe('admitted');
      expect(await answerTo(subject.limiter, limits)).toBe('admitted');
    });
    await outage(async () => {
      expect(await answerTo(subject.limiter, limits)).toBe('requests-per-minute');
    });
    subject.clock.advance(60_000);
    await outage(async () => {
      expect(await answerTo(subject.limiter, limits)).toBe('admitted');
    });
  });

  it('reads the day’s tokens again in a later outage, and releases requests admitted during an earlier one', async () => {
    const subject = await startSubject();
    const limits = { tokensPerDay: tokenCount(100) };
    redis.server().pause();
    const early = await admitted(subject.limiter, limits, 10);
    redis.server().resume();
    await recovery(subject);
    subject.clock.advance(60_000);
    subject.usage.used = 95;
    redis.server().pause();
    expect(await answerTo(subject.limiter, limits, 6)).toBe('tokens-per-day');
    await subject.limiter.release(early, served(5));
    expect(await answerTo(subject.limiter, limits, 5)).toBe('admitted');
    redis.server().resume();
    await recovery(subject);
  });

  it('reports a failure of the usage reader instead of falling back', async () => {
    const clock = new ManualClock();
    const usage = { tokensUsed: () => Promise.reject(new Error('the database is away')) };
    const { limiter, news } = fallbackOver({ clock, usage, connection: await redis.connect(), scaleLimits: wholeLimits });
    await expect(limiter.admit(demandOf({ tokensPerDay: tokenCount(100) }, 1))).rejects.toThrow('the database is away');
    expect(news).toEqual([]);
  });

  it('sends no probe after it was stopped', async () => {
    const subject = await startSubject();
    redis.server().pause();
    await admitted(subject.limiter);
    expect(subject.clock.pendingTasks).toBe(1);
    subject.limiter.stop();
    expect(subject.clock.pendingTasks).toBe(0);
    redis.server().resume();
  });
});

describe('an admission whose reply is lost', () => {
  /** Runs a test with an unreliable network between this gateway and Redis, and a second gateway with a reliable one. */
  async function withNetwork(test: (parts: Subject & { clock: ManualClock; other: RedisRateLimiter; loseAdmission: () => Promise<void> }) => Promise<void>): Promise<void> {
    const network: NetworkProxy = await startNetworkProxy(redis.server().path);
    const connection = await openRedis({ url: `redis://127.0.0.1:${network.port}`, commandTimeoutMilliseconds: 10_000, onError: () => undefined });
    const [clock, usage] = [new ManualClock(), new UsageSource()];
    const subject = fallbackOver({ clock, usage, connection, scaleLimits: wholeLimits });
    const other = new RedisRateLimiter({
      connection: await redis.connect(), usage, clock, time: 'clock', prefix: subject.prefix, processId: 'proc_2' as ProcessId, onCleanUpFailed: () => undefined,
    });
    const loseAdmission = async (): Promise<void> => {
      network.loseNextReplyTo('generation');
      await admitted(subject.limiter, {}, 7);
      expect(network.lostReplies()).toBe(1);
      expect(subject.news).toEqual(['fell back']);
      await until(() => connection.status === 'ready');
    };
    try {
      // These commands load the scripts into Redis, so that each later command is sent once and has one reply, which the network can lose.
      await subject.limiter.release(await admitted(subject.limiter), served(0));
      await test({ ...subject, clock, other, loseAdmission });
    } finally {
      await closeRedis(connection);
      await network.stop();
    }
  }

  it('holds no slot after Redis is available again', async () => {
    await withNetwork(async (subject) => {
      await subject.loseAdmission();
      expect(await answerTo(subject.other, { concurrentRequests: 1 })).toBe('concurrent-requests');
      await recovery(subject);
      await until(async () => await answerTo(subject.other, { concurrentRequests: 1 }) === 'admitted');
    });
  });

  it('is not released any more if the lease of its slot expires before Redis is available again', async () => {
    await withNetwork(async (subject) => {
      const { slots } = accountKeys(subject.prefix, ALICE);
      const observer = await redis.connect();
      const ticket = await admitted(subject.limiter);
      await subject.loseAdmission();
      await subject.limiter.release(ticket, served(0));
      expect(await observer.zcard(slots)).toBe(2);
      subject.clock.set(later(subject.clock.now(), 30_000));
      await recovery(subject);
      // All pending releases are sent in one command, so a wrong one would have freed its slot by now.
      await until(async () => await observer.zcard(slots) === 1);
    });
  });

  it('does not change a window that opened later', async () => {
    await withNetwork(async (subject) => {
      subject.clock.advance(50_000);
      await subject.loseAdmission();
      subject.clock.advance(11_000);
      await admitted(subject.other, {}, 5);
      await recovery(subject);
      await until(async () => await answerTo(subject.other, { concurrentRequests: 2 }) === 'admitted');
      expect(await subject.other.quota(ALICE, { limits: WIDE_LIMITS, incident: null })).toMatchObject({
        requestsRemaining: WIDE_LIMITS.requestsPerMinute - 2, tokensRemaining: WIDE_LIMITS.tokensPerMinute - 5,
      });
    });
  });
});

describe('shareOfLimits', () => {
  const limits: PlanLimits = { ...WIDE_LIMITS, requestsPerMinute: 60, tokensPerMinute: tokenCount(100), concurrentRequests: 4, tokensPerDay: tokenCount(9) };
  const incident: IncidentLimit = { ...AN_INCIDENT, requestsPerMinute: 60, tokensPerMinute: tokenCount(100), concurrentRequests: 4 };

  it.each<[number, number, number, number]>([[1, 60, 100, 4], [3, 20, 33, 1], [7, 8, 14, 1], [1_000, 1, 1, 1]])(
    'divides each limit by %i instances, to a share of at least 1', (instances, requests, tokens, slots) => {
      const shares = { requestsPerMinute: requests, tokensPerMinute: tokens, concurrentRequests: slots };
      expect(shareOfLimits({ limits, incident }, instances)).toEqual({ limits: { ...limits, ...shares }, incident: { ...incident, ...shares } });
    },
  );

  it('keeps a limit of 0, and adds no limit that an incident limit leaves unset', () => {
    const shares = shareOfLimits({ limits: { ...limits, requestsPerMinute: 0 }, incident: { ...AN_INCIDENT, tokensPerMinute: tokenCount(0) } }, 3);
    expect(shares.limits.requestsPerMinute).toBe(0);
    expect(shares.incident).toEqual({ ...AN_INCIDENT, tokensPerMinute: 0 });
    expect(shareOfLimits({ limits, incident: null }, 3).incident).toBeNull();
  });
});
