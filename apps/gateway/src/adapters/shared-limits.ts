import type { Clock, ProcessId, RateLimiter, SharedCounter, UsageReader } from '@tollgate/core';
import type { RedisLocation } from '@tollgate/adapters-config';
import { MemoryRateLimiter } from '@tollgate/adapters-memory/limits';
import {
  closeRedis, FallbackRateLimiter, LiveInstances, openRedis, type RedisConnection, RedisRateLimiter, RedisSharedCounter, shareOfLimits,
} from '@tollgate/adapters-redis';
import type { Logger } from 'pino';
import type { LimiterHealth } from '../observability/limiter-health.js';

/** Written to find out whether Redis accepts writes; gone a moment later. */
const PROBE_KEY = 'tollgate:probe';
const PROBE_KEY_MILLISECONDS = 1_000;

interface SharedLimitsPorts {
  readonly redis: RedisLocation;
  readonly clock: Clock;
  readonly processId: ProcessId;
  readonly usage: UsageReader;
  readonly log: Logger;
  readonly health: LimiterHealth;
  /** How long Redis may take to answer; short unless said otherwise, since requests wait for it. */
  readonly commandTimeoutMilliseconds?: number;
}

/** The limits in force. */
export interface Limits {
  readonly limiter: RateLimiter;
  /** Adds up the unbilled work of all gateways; `null` where each counts alone. */
  readonly counter: SharedCounter | null;
}

/** The limits that gateways count together. */
export interface SharedLimits extends Limits {
  /** How many gateways share it, as far as this one knows. */
  liveGateways(): number;
  /** Leaves the others. Called when no request runs any more. */
  close(): Promise<void>;
}

/** Joins the gateways that share a Redis. One that is away stops no start: limits are counted here until it is back. */
export async function openSharedLimits(ports: SharedLimitsPorts): Promise<SharedLimits> {
  const { redis, log, commandTimeoutMilliseconds } = ports;
  const connection = await openRedis({
    url: redis.url,
    ...(commandTimeoutMilliseconds === undefined ? {} : { commandTimeoutMilliseconds }),
    onError: (err) => log.debug({ err }, 'the connection to Redis failed'),
  });
  if (connection.status !== 'ready') log.warn('Redis is unreachable; the gateway keeps trying to connect');
  const parts = assemble(connection, ports);
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
    // While limits are counted here, the log has said why.
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
    // A Redis that answers may refuse to write: as a replica, or without memory.
    probe: () => connection.set(PROBE_KEY, processId, 'PX', PROBE_KEY_MILLISECONDS),
    clock,
    report: health,
  });
  return { connection, shared, limiter, instances };
}

/** The last word to a Redis that may be away: what it does not hear ends with its lease. */
async function close({ connection, shared, limiter, instances }: Parts): Promise<void> {
  limiter.stop();
  shared.stop();
  await Promise.allSettled([instances.stop()]);
  await closeRedis(connection);
}
