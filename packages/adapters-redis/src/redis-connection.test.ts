import { rename } from 'node:fs/promises';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type RedisServer, startNetworkProxy, startRedisServer, until } from '@tollgate/testkit';
import { closeRedis, COMMAND_TIMEOUT_MILLISECONDS, openRedis, type RedisConnection } from './redis-connection.js';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());

const opened: RedisConnection[] = [];

async function open(url: string, onError: (error: Error) => void = () => undefined): Promise<RedisConnection> {
  const connection = await openRedis({ url, onError });
  opened.push(connection);
  return connection;
}

afterEach(async () => {
  server.resume();
  await Promise.all(opened.splice(0).map(closeRedis));
});

it('a connection to a Redis that responds can be closed twice', async () => {
  const connection = await open(server.path);
  await closeRedis(connection);
  expect(connection.status).toBe('end');
  await closeRedis(connection);
});

it('a connection can be closed while Redis hangs', async () => {
  const connection = await open(server.path);
  server.pause();
  await closeRedis(connection);
  server.resume();
  expect(connection.status).toBe('end');
});

it('a connection can be closed while it waits to reconnect', async () => {
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

it('a command without a reply fails after its timeout', async () => {
  const connection = await open(server.path);
  server.pause();
  await expect(connection.ping()).rejects.toThrow('timed out');
  server.resume();
  await closeRedis(connection);
});

describe('while Redis loads its data', () => {
  beforeEach(async () => {
    await server.kill();
    await server.restartLoading();
  });
  afterEach(async () => {
    await server.kill();
    await server.restart();
  });

  it('a connection opens, and its commands are refused until the data is loaded', async () => {
    const connection = await open(server.path);
    const answer = (): Promise<string> => connection.get('filler:1').then(String, ({ message }: Error) => message);
    await until(async () => (await answer()).startsWith('LOADING'));
    await server.finishLoading();
    await until(async () => await answer() === '1');
    expect(await answer()).toBe('1');
  });
});

it('a connection is not ready, and its commands fail, until Redis responds', async () => {
  server.pause();
  const connection = await open(server.path);
  expect(connection.status).not.toBe('ready');
  await expect(connection.ping()).rejects.toThrow('Redis is not connected');
  server.resume();
  await until(() => connection.status === 'ready');
  expect(await connection.ping()).toBe('PONG');
});

it('the error of a command states why Redis refused the connection, and no error contains the password', async () => {
  const [admin, errors] = [await open(server.path), [] as Error[]];
  await admin.config('SET', 'requirepass', 'right-password');
  const network = await startNetworkProxy(server.path);
  const connection = await open(`redis://:wrong-password@127.0.0.1:${network.port}`, (error) => errors.push(error));
  await until(() => connection.status === 'reconnecting');
  await expect(connection.ping()).rejects.toThrow('Redis is not connected: WRONGPASS');
  await closeRedis(connection);
  expect(errors.length).toBeGreaterThan(0);
  expect(inspect(errors, { depth: null })).not.toContain('wrong-password');
  await admin.config('SET', 'requirepass', '');
  await network.stop();
});

it('a connection to a master that became a replica is opened again, because its address may lead to the new master', async () => {
  const successor = await startRedisServer();
  const [connection, admin] = [await open(server.path), await open(server.path)];
  await admin.call('replicaof', '127.0.0.1', '1');
  await rename(successor.path, server.path);
  await expect(connection.set('name', 'value')).rejects.toThrow('READONLY');
  await until(() => connection.set('name', 'value').then(() => true, () => false));
  await successor.stop();
  await server.kill();
  await server.restart();
});
