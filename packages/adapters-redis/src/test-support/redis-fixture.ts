import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type RedisServer, startRedisServer } from '@tollgate/testkit';
import { closeRedis, COMMAND_TIMEOUT_MILLISECONDS, openRedis, type RedisConnection } from '../redis-connection.js';

export interface RedisFixture {
  server(): RedisServer;
  /**
   * Opens a connection that is closed after the test. Its failures are not news here: tests cause them.
   * It waits long for an answer, since a busy machine is not what is tested; `impatient` ones wait as in production.
   */
  connect(patience?: 'patient' | 'impatient'): Promise<RedisConnection>;
  /** A prefix no other test uses, so that tests share one server and no key. */
  prefix(): string;
}

const LONG_TIMEOUT_MILLISECONDS = 10_000;

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
    // A test that failed while it had paused the server must not take the next one with it.
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
