import { ContainerModule } from 'inversify';
import { LinearTokenEstimator, UpstreamRouter } from '@tollgate/adapters-upstream';
import { UpstreamLog } from '../observability/upstream-metrics.js';
import { UpstreamHealth } from '../observability/upstream-health.js';
import { LiveCatalogue } from '../adapters/live-catalogue.js';
import { identifier, services } from './services.js';

const liveCatalogue = identifier<LiveCatalogue>('liveCatalogue');

/** The models on offer, and what serves them. */
export const upstreamsModule = new ContainerModule(({ bind }) => {
  bind(liveCatalogue).toDynamicValue((context) => LiveCatalogue.open({
    settings: context.get(services.configuration), environment: context.get(services.environment), clock: context.get(services.clock), log: context.get(services.log),
  }));
  bind(UpstreamLog).toDynamicValue((context) => new UpstreamLog({ log: context.get(services.log), clock: context.get(services.clock) }));
  bind(UpstreamHealth).toDynamicValue((context) => new UpstreamHealth(context.get(services.clock), context.get(UpstreamLog)));
  bind(UpstreamRouter).toDynamicValue(async (context) => {
    const log = context.get(services.log);
    const catalogue = await context.getAsync(liveCatalogue);
    const router = new UpstreamRouter(catalogue.upstreams, {
      clock: context.get(services.clock), ids: context.get(services.ids), report: context.get(UpstreamHealth),
      onReasoningRefused: (refusal) => log.warn(refusal, 'the upstream refuses this reasoning setting for this model; it is left out until the catalogue changes'),
    });
    const stopFollowing = catalogue.follow((upstreams) => router.replace(upstreams));
    context.get(services.resources).defer(async () => void await Promise.all([stopFollowing(), router.close()]));
    return router;
  });
  bind(services.catalogue).toService(liveCatalogue);
  bind(services.provider).toService(UpstreamRouter);
  bind(services.upstreams).toDynamicValue(async (context) => {
    const router = await context.getAsync(UpstreamRouter);
    const catalogue = await context.getAsync(liveCatalogue);
    return {
      circuits: () => router.circuits(), failures: context.get(UpstreamLog).failures, health: context.get(UpstreamHealth), definitions: () => catalogue.upstreams,
    };
  });
  bind(services.estimator).toDynamicValue(() => new LinearTokenEstimator());
});
