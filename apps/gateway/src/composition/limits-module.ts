import { serviceModule } from '@tollgate/composition';
import { MemoryRateLimiter } from '@tollgate/adapters-memory/limits';
import { CapWatch } from '../observability/cap-watch.js';
import { LimiterHealth } from '../observability/limiter-health.js';
import { openResource } from './open-resource.js';
import { services } from './services.js';

const { configuration, clock, usage, processId, log, resources, limits } = services;

/** Limits are counted in Redis if it is configured, otherwise in memory. */
export const limitsModule = serviceModule((make) => {
  make(LimiterHealth, { log }, (parts) => new LimiterHealth(parts.log));
  make(limits, { configuration, clock, usage, processId, log, health: LimiterHealth, resources }, ({ configuration: { redis }, ...parts }) => {
    if (redis === null) return { limiter: new MemoryRateLimiter(parts), counter: null };
    // Imported lazily, since most gateways have no Redis.
    const open = async () => (await import('../adapters/shared-limits.js')).openSharedLimits({ redis, ...parts });
    return openResource(parts.resources, open, (opened) => opened.close());
  });
  make(services.limiter, { limits, backgroundEvents: services.backgroundEvents, clock, log }, ({ limits: { limiter }, ...parts }) => new CapWatch({ limiter, ...parts }));
  make(services.sharedCounter, { limits }, (parts) => parts.limits.counter);
});
