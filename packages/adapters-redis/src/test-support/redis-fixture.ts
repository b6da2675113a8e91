import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { ALICE, type MakeRateLimiter, type RedisServer, startRedisServer, ticketOf, WIDE_LIMITS } from '@tollgate/testkit';
import { ManualClock } from '@tollgate/adapters-memory';
import {
  type AdmissionEnd, type AdmissionTicket, type Demand, type PlanLimits, type ProcessId, type RateLimiter, type RequestId, tokenCount,
  type TokensUsed,
} from '@tollgate/core';
import { closeRedis, COMMAND_TIMEOUT_MILLISECONDS, openRedis, type RedisConnection } from '../redis-connection.js';
import { RedisRateLimiter, type TokensUsedSource } from '../redis-rate-limiter.js';

interface RedisFixture {
  server(): RedisServer;
  /**
   * Opens a connection, which is closed after the test. Failed attempts are ignored, because tests cause them. `patient` has a long command timeout,
   * for busy machines; `impatient` has that of production.
   */
  connect(patience?: 'patient' | 'impatient'): Promise<RedisConnection>;
  /** Returns a new prefix for keys, so that tests can share a server. */
  prefix(): string;
}

const LONG_TIMEOUT_MILLISECONDS = 10_000;

/** Starts one server for the test file. */
export function redisFixture(): RedisFixture {
  let server: RedisServer | null = null;
  const connections: RedisConnection[] = [];
  let prefixes = 0;
  const running = (): RedisServer => {
    if (server === null) throw new Error('the server runs from beforeAll to afterAll');
    return server;
  };
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterEach(async () => {
    // If the test failed, the server may still be paused.
    server?.resume();
    await Promise.all(connections.splice(0).map(closeRedis));
  });
  afterAll(async () => {
    await server?.stop();
  });
  return {
    server: running,
    connect: async (patience = 'patient') => {
      const commandTimeoutMilliseconds = patience === 'patient' ? LONG_TIMEOUT_MILLISECONDS : COMMAND_TIMEOUT_MILLISECONDS;
      const connection = await openRedis({ url: running().path, commandTimeoutMilliseconds, onError: () => undefined });
      connections.push(connection);
      return connection;
    },
    prefix: () => `test-${prefixes += 1}:`,
  };
}

/** Creates limiters on one server, each with its own keys and clock. */
export function limiterOnRedis(redis: RedisFixture): MakeRateLimiter {
  return async ({ startAt, tokensUsed }) => {
    const clock = new ManualClock(startAt);
    const connection = await redis.connect();
    const limiter = new RedisRateLimiter({
      connection, usage: { tokensUsed }, clock, processId: 'proc_test' as ProcessId, time: 'clock', prefix: redis.prefix(),
      onCleanUpFailed: (cause) => {
        throw cause;
      },
    });
    return {
      limiter,
      // Renews once instead of once per interval, because only the last renewal has an effect.
      advance: async (milliseconds) => {
        clock.advance(milliseconds);
        await limiter.renew();
      },
      close: () => closeRedis(connection),
    };
  };
}

export function demandOf(limits: Partial<PlanLimits>, tokens = 0): Demand {
  return { accountId: ALICE, requestId: 'req_1' as RequestId, limits: { ...WIDE_LIMITS, ...limits }, incident: null, kind: 'generation', tokens: tokenCount(tokens) };
}

export async function admitted(limiter: RateLimiter, limits: Partial<PlanLimits> = {}, tokens = 0): Promise<AdmissionTicket> {
  return ticketOf(await limiter.admit(demandOf(limits, tokens)));
}

/** Returns `admitted`, or the exceeded limit. */
export async function answerTo(limiter: RateLimiter, limits: Partial<PlanLimits>, tokens = 0): Promise<string> {
  const admission = await limiter.admit(demandOf(limits, tokens));
  return admission.admitted ? 'admitted' : admission.limit;
}

export const served = (tokens: number): AdmissionEnd => ({ kind: 'served', tokens: tokenCount(tokens) });

/** Tokens used by one account, all of them today. Tests can delay the replies. */
export class UsageSource implements TokensUsedSource {
  readonly #waiting: (() => void)[] = [];
  used = 0;
  reads = 0;
  isHeldBack = false;

  async tokensUsed(): Promise<TokensUsed> {
    this.reads += 1;
    const used = tokenCount(this.used);
    if (this.isHeldBack) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return { day: used, month: used };
  }

  /** Number of delayed replies. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Sends the delayed replies. Each contains the figures of the time when it was requested. */
  answer(): void {
    this.isHeldBack = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
