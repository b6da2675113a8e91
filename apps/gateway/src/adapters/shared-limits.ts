import type { Clock, ProcessId, RateLimiter, SharedCounter, UsageReader } from '@tollgate/core';
import type { RedisLocation } from '@tollgate/adapters-config';
import { MemoryRateLimiter } from '@tollgate/adapters-memory/limits';
import {
  closeRedis, FallbackRateLimiter, LiveInstances, openRedis, type RedisConnection, RedisRateLimiter, RedisSharedCounter, shareOfLimits, writeProbe,
} from '@tollgate/adapters-redis';
import type { Logger } from 'pino';
import type { LimiterHealth } from '../observability/limiter-health.js';

interface SharedLimitsPorts {
  readonly redis: RedisLocation;
  readonly clock: Clock;
  readonly processId: ProcessId;
  readonly usage: UsageReader;
  readonly log: Logger;
  readonly health: LimiterHealth;
  /** Timeout of each command. Short by default, because requests wait for the answers of Redis. */
  readonly commandTimeoutMilliseconds?: number;
}

export interface Limits {
  readonly limiter: RateLimiter;
  /** Counts unbilled work of all gateways; `null` without Redis. */
  readonly counter: SharedCounter | null;
}

/** Limits that all gateways count together in Redis. */
export interface SharedLimits extends Limits {
  /** Number of gateways at the last answer of Redis, including this one. */
  liveGateways(): number;
  /** Must not be called while a request runs. */
  close(): Promise<void>;
}

/** Succeeds even if Redis is unavailable, within about two seconds; this process then counts limits alone until Redis is available. */
export async function openSharedLimits(ports: SharedLimitsPorts): Promise<SharedLimits> {
  const { redis, log, commandTimeoutMilliseconds } = ports;
  const connection = await openRedis({
    url: redis.url,
    ...(commandTimeoutMilliseconds === undefined ? {} : { commandTimeoutMilliseconds }),
    onError: (err) => log.debug({ err }, 'the connection to Redis failed'),
  });
  const parts = assemble(connection, ports);
  await parts.limiter.start();
  parts.shared.start();
  await parts.instances.start();
  return { limiter: parts.limiter, counter: new RedisSharedCounter({ connection: parts.connection }), liveGateways: () => parts.instances.count, close: () => close(parts) };
}

interface Parts {
  readonly connection: RedisConnection;
  readonly shared: RedisRateLimiter;
  readonly limiter: FallbackRateLimiter;
  readonly instances: LiveInstances;
}

function assemble(connection: RedisConnection, { clock, processId, usage, log, health }: SharedLimitsPorts): Parts {
  const shared = new RedisRateLimiter({
    connection, usage, clock, processId,
    // No warning while limits are counted in this process: the log has already stated why.
    onCleanUpFailed: (err) => log[health.isLocal ? 'debug' : 'warn']({ err }, 'Redis did not renew the entries of this gateway; they expire with its lease'),
  });
  const instances = new LiveInstances({
    connection, clock, processId,
    onAnnouncementFailed: (err) => log.debug({ err }, 'this gateway could not register itself in Redis'),
  });
  const limiter = new FallbackRateLimiter({
    shared,
    makeLocal: () => new MemoryRateLimiter({ clock, usage }),
    scaleLimits: (binding) => shareOfLimits(binding, instances.count),
    probe: () => writeProbe(connection),
    clock,
    report: health,
  });
  return { connection, shared, limiter, instances };
}

/** Succeeds even if Redis is unavailable: entries that are not released expire with their lease. */
async function close({ connection, shared, limiter, instances }: Parts): Promise<void> {
  limiter.stop();
  shared.stop();
  await Promise.allSettled([instances.stop()]);
  await closeRedis(connection);
}
