import { serviceModule } from '@tollgate/composition';
import { LinearTokenEstimator, UpstreamSockets } from '@tollgate/adapters-upstream';
import { openUpstreams } from '../adapters/upstreams.js';
import { openResource } from './open-resource.js';
import { services } from './services.js';

const { configuration, environment, clock, ids, log, resources, openedUpstreams } = services;

export const upstreamsModule = serviceModule((make) => {
  make(UpstreamSockets, {}, () => new UpstreamSockets());
  make(openedUpstreams, { settings: configuration, environment, clock, ids, log, sockets: UpstreamSockets, resources }, (parts) =>
    openResource(parts.resources, () => openUpstreams(parts), (opened) => opened.close()));
  make(services.catalogue, { openedUpstreams }, (parts) => parts.openedUpstreams.catalogue);
  make(services.provider, { openedUpstreams }, (parts) => parts.openedUpstreams.provider);
  make(services.upstreams, { openedUpstreams }, (parts) => parts.openedUpstreams.observed);
  make(services.estimator, {}, () => new LinearTokenEstimator());
});
