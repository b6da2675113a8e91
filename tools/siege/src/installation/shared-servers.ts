import { type PostgresServer, type RedisServer, startPostgresServer, startRedisServer } from '@tollgate/testkit/programs';
import type { SharedServers } from './installation.js';

export class SharedServersOfSiege implements SharedServers {
  private constructor(private readonly postgres: PostgresServer, private readonly redis: RedisServer) {}

  static async start(): Promise<SharedServersOfSiege> {
    const [postgres, redis] = await Promise.all([startPostgresServer(), startRedisServer()]);
    return new SharedServersOfSiege(postgres, redis);
  }

  get databaseUrl(): string {
    return this.postgres.url();
  }

  get redisUrl(): string {
    return this.redis.path;
  }

  async stop(): Promise<void> {
    await this.redis.stop();
    await this.postgres.stop();
  }
}
