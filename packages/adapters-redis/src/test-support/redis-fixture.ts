import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type RedisServer, startRedisServer } from '@tollgate/testkit';
import { type RedisConnection, closeRedis, openRedis } from '../connection/open-redis.js';

export interface RedisFixture {
  server(): RedisServer;
  /** Opens a connection that is closed after the test. Its failures are not news here: tests cause them. */
  connect(): Promise<RedisConnection>;
  /** A prefix no other test uses, so that tests share one server and no key. */
  prefix(): string;
}

/** One redis-server for a test file. */
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
    await Promise.all(connections.splice(0).map(closeRedis));
  });
  afterAll(async () => {
    await server?.stop();
  });
  return {
    server: running,
    connect: async () => {
      const connection = await openRedis({ url: running().path, onError: () => undefined });
      connections.push(connection);
      return connection;
    },
    prefix: () => `test-${prefixes += 1}:`,
  };
}
