import type { RedisLocation } from '@tollgate/adapters-config';
import { type Check, ok, problem } from './check.js';

const NAME = 'redis';

/** `null`: not set. */
export async function redisCheck(redis: RedisLocation | null): Promise<Check> {
  if (redis === null) return ok(NAME, 'REDIS_URL is not set: each gateway counts limits by itself');
  // With its driver, which a program without Redis does without.
  const { closeRedis, openRedis } = await import('@tollgate/adapters-redis');
  let failure: string | null = null;
  const connection = await openRedis({ url: redis.url, onError: ({ message }) => { failure = message; } });
  try {
    await connection.ping();
    return ok(NAME, 'it answers');
  } catch (thrown) {
    const why = failure ?? (thrown instanceof Error ? thrown.message : String(thrown));
    return problem(NAME, `it does not answer: ${why}. Check REDIS_URL and that the server runs; until it does, each gateway counts limits by itself.`);
  } finally {
    await closeRedis(connection);
  }
}
