import { afterEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '@tollgate/adapters-node';
import { changeNotificationsContract, HeardChanges, until } from '@tollgate/testkit';
import { redisFixture } from '../test-support/redis-fixture.js';
import { RedisUnavailable } from '../connection/redis-unavailable.js';
import { RedisChangeChannel } from './redis-change-channel.js';

const redis = redisFixture();

interface Member {
  readonly channel: RedisChangeChannel;
  readonly listener: HeardChanges;
}

const channels: RedisChangeChannel[] = [];

afterEach(async () => {
  await Promise.all(channels.splice(0).map((channel) => channel.stop()));
});

async function openChannel(prefix: string): Promise<RedisChangeChannel> {
  const channel = new RedisChangeChannel({ connection: await redis.connect('impatient'), clock: new SystemClock(), prefix, onError: () => undefined });
  channels.push(channel);
  return channel;
}

async function join(prefix: string): Promise<Member> {
  const [channel, listener] = [await openChannel(prefix), new HeardChanges()];
  channel.subscribe(listener);
  channel.start();
  await until(() => listener.heard.includes('missed'));
  listener.heard.splice(0);
  return { channel, listener };
}

changeNotificationsContract('Redis', async () => {
  const [connection, prefix] = [await redis.connect(), redis.prefix()];
  return {
    open: () => openChannel(prefix),
    sendRaw: async (message) => void await connection.publish(`${prefix}changes`, message),
    breakConnections: async () => void await connection.call('CLIENT', 'KILL', 'TYPE', 'pubsub'),
  };
});

describe('RedisChangeChannel', () => {
  it('says that it hears nothing when Redis dies, that changes were missed when it is back, and hears again', async () => {
    const prefix = redis.prefix();
    const members = [await join(prefix), await join(prefix)] as const;
    await redis.server().kill();
    await until(() => members.every(({ listener }) => listener.heard.length === 1));
    await expect(members[0].channel.publish({ kind: 'platform', id: null })).rejects.toThrow(RedisUnavailable);
    await redis.server().restart();
    await until(() => members.every(({ listener }) => listener.heard.length === 2));
    await until(() => members[0].channel.publish({ kind: 'platform', id: null }).then(() => true, () => false));
    await until(() => members.every(({ listener }) => listener.heard.length === 3));
    for (const { listener } of members) expect(listener.heard).toEqual(['disconnected', 'missed', { kind: 'platform', id: null }]);
  });

  it('notices within a second or two that Redis no longer answers although the connection stands', async () => {
    const { listener } = await join(redis.prefix());
    redis.server().pause();
    const startedAt = performance.now();
    await until(() => listener.heard.includes('disconnected'));
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    redis.server().resume();
    await until(() => listener.heard.includes('missed'));
    expect(listener.heard).toEqual(['disconnected', 'missed']);
  });
});
