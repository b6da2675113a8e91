import { MemoryRateLimiter } from '@tollgate/adapters-memory/limits';
import { LimiterHealth } from '../observability/limiter-health.js';
import { serviceModule, services } from './services.js';

/** Limits over Redis if the settings name one, else those of this process. */
export const limitsModule = serviceModule((make) => {
  make(LimiterHealth, ({ log }) => new LimiterHealth(log));
  make(services.limits, async ({ configuration: { redis }, clock, usage, processId, log, resources }, context) => {
    if (redis === null) return { limiter: new MemoryRateLimiter({ clock, usage }), counter: null };
    // Imported here, since most gateways have no Redis.
    const { openSharedLimits } = await import('../adapters/shared-limits.js');
    return resources.adopt(await openSharedLimits({ redis, clock, usage, processId, log, health: context.get(LimiterHealth) }), (limits) => limits.close());
  });
  make(services.limiter, ({ limits }) => limits.limiter);
  make(services.sharedCounter, ({ limits }) => limits.counter);
});
