import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RedisServer, startRedisServer, until } from '@tollgate/testkit';
import { closeRedis, COMMAND_TIMEOUT_MILLISECONDS, openRedis } from './redis-connection.js';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

const open = (url: string) => openRedis({ url, onError: () => undefined });

it('a connection closes while Redis responds', async () => {
  const connection = await open(server.path);
  await closeRedis(connection);
  expect(connection.status).toBe('end');
  await closeRedis(connection);
});

it('a connection closes while Redis hangs', async () => {
  const connection = await open(server.path);
  server.pause();
  await closeRedis(connection);
  server.resume();
  expect(connection.status).toBe('end');
});

it('a connection closes while it waits to reconnect', async () => {
  const connection = await open(`${server.path}.absent`);
  await until(() => connection.status === 'reconnecting');
  await closeRedis(connection);
  expect(connection.status).not.toBe('connecting');
  expect(await Promise.allSettled([connection.ping()])).toMatchObject([{ status: 'rejected' }]);
});

it('a reply that arrives in time is accepted, however busy this process was', async () => {
  const connection = await open(server.path);
  const asked = connection.ping();
  const busyUntil = performance.now() + 2 * COMMAND_TIMEOUT_MILLISECONDS;
  while (performance.now() < busyUntil);
  expect(await asked).toBe('PONG');
  await closeRedis(connection);
});

it('an unanswered command fails', async () => {
  const connection = await open(server.path);
  server.pause();
  await expect(connection.ping()).rejects.toThrow('timed out');
  server.resume();
  await closeRedis(connection);
});
