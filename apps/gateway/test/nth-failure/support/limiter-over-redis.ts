import { afterAll, beforeAll } from '@jest/globals';
import type { ManualClock } from '@tollgate/adapters-memory';
import { closeRedis, openRedis, type RedisConnection, RedisRateLimiter } from '@tollgate/adapters-redis';
import type { ProcessId, RateLimiter, UsageReader } from '@tollgate/core';
import { type RedisServer, startRedisServer } from '@tollgate/testkit';

type MakeLimiter = (clock: ManualClock, usage: Pick<UsageReader, 'tokensUsed'>) => Promise<RateLimiter>;

const PATIENCE_MILLISECONDS = 10_000;

/** Makes limiters over one Redis server. They do not renew their slots. */
export function limiterOverRedis(): MakeLimiter {
  let server: RedisServer | null = null;
  const connections: RedisConnection[] = [];
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterAll(async () => {
    await Promise.all(connections.map(closeRedis));
    await server?.stop();
  });
  return async (clock, usage) => {
    const connection = await openRedis({ url: server?.path ?? '', commandTimeoutMilliseconds: PATIENCE_MILLISECONDS, onError: () => undefined });
    connections.push(connection);
    return new RedisRateLimiter({ connection, usage, clock, processId: 'process_test' as ProcessId, time: 'clock', onCleanUpFailed: () => undefined });
  };
}
