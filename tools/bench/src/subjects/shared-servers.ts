import { type RedisServer, startPostgresServer, startRedisServer } from '@tollgate/testkit/programs';

/** A PostgreSQL that waits for the disk, and a Redis; both on this machine and for nobody else. */
export interface SharedServers {
  /** The environment of a gateway that uses them. */
  readonly environment: { readonly DATABASE_URL: string; readonly REDIS_URL: string };
  stop(): Promise<void>;
}

/** `missing` where this machine has no Redis, which no package brings along. */
export type ServersStart =
  | { readonly outcome: 'started'; readonly servers: SharedServers }
  | { readonly outcome: 'missing'; readonly reason: string };

/** Starts both. */
export async function startSharedServers(): Promise<ServersStart> {
  const redis = await startRedisServer().catch((thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)));
  if (typeof redis === 'string') return { outcome: 'missing', reason: redis };
  return { outcome: 'started', servers: await startPostgresBeside(redis) };
}

async function startPostgresBeside(redis: RedisServer): Promise<SharedServers> {
  try {
    const postgres = await startPostgresServer({ disk: 'durable' });
    return {
      environment: { DATABASE_URL: postgres.url(), REDIS_URL: redis.path },
      stop: async () => {
        await postgres.stop();
        await redis.stop();
      },
    };
  } catch (thrown) {
    await redis.stop();
    throw thrown;
  }
}
