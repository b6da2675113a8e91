import { LinearTokenEstimator, UpstreamSockets } from '@tollgate/adapters-upstream';
import { openUpstreams } from '../adapters/upstreams.js';
import { serviceModule, services } from './services.js';

/** The models on offer, and what serves them. */
export const upstreamsModule = serviceModule((make) => {
  make(UpstreamSockets, () => new UpstreamSockets());
  make(services.openedUpstreams, async ({ configuration, environment, clock, ids, log, resources }, context) =>
    resources.adopt(await openUpstreams({ settings: configuration, environment, clock, ids, log, sockets: context.get(UpstreamSockets) }), (opened) => opened.close()));
  make(services.catalogue, async (_named, context) => (await context.getAsync(services.openedUpstreams)).catalogue);
  make(services.provider, async (_named, context) => (await context.getAsync(services.openedUpstreams)).provider);
  make(services.upstreams, async (_named, context) => (await context.getAsync(services.openedUpstreams)).observed);
  make(services.estimator, () => new LinearTokenEstimator());
});
