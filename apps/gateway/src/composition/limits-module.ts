import { ContainerModule } from 'inversify';
import { MemoryRateLimiter } from '@tollgate/adapters-memory/limits';
import { LimiterHealth } from '../observability/health-reports.js';
import { services } from './services.js';

/** Limits over Redis where the settings name one, else those of this process. */
export const limitsModule = new ContainerModule(({ bind }) => {
  bind(LimiterHealth).toDynamicValue((context) => new LimiterHealth(context.get(services.log)));
  bind(services.limits).toDynamicValue(async (context) => {
    const [{ redis }, clock, usage] = [context.get(services.configuration), context.get(services.clock), context.get(services.usage)];
    if (redis === null) return { limiter: new MemoryRateLimiter({ clock, usage }), counter: null };
    // Imported here, since most gateways have no Redis.
    const { openSharedLimits } = await import('../adapters/shared-limits.js');
    const limits = await openSharedLimits({
      redis, clock, usage, processId: context.get(services.processId), log: context.get(services.log), health: context.get(LimiterHealth),
    });
    context.get(services.resources).defer(() => limits.close());
    return limits;
  });
  bind(services.limiter).toDynamicValue((context) => context.get(services.limits).limiter);
  bind(services.sharedCounter).toDynamicValue((context) => context.get(services.limits).counter);
});
