import { UpstreamRouter } from '@tollgate/adapters-upstream';
import type { CatalogueSource, IdGenerator, ModelProvider } from '@tollgate/core';
import { UpstreamHealth } from '../observability/upstream-health.js';
import { type ObservedUpstreams, UpstreamLog } from '../observability/upstream-metrics.js';
import { LiveCatalogue, type LiveCataloguePorts } from './live-catalogue.js';

export interface UpstreamPorts extends LiveCataloguePorts {
  readonly ids: IdGenerator;
}

/** The models on offer, what serves them, and how that goes. */
export interface OpenedUpstreams {
  readonly catalogue: CatalogueSource;
  readonly provider: ModelProvider;
  readonly observed: ObservedUpstreams;
  close(): Promise<void>;
}

/** Opens the catalogue, and a router that follows it. Throws `StartRefused` if the catalogue cannot be used. */
export async function openUpstreams(ports: UpstreamPorts): Promise<OpenedUpstreams> {
  const { clock, ids, log } = ports;
  const catalogue = await LiveCatalogue.open(ports);
  const upstreamLog = new UpstreamLog({ log, clock });
  const health = new UpstreamHealth(clock, upstreamLog);
  const router = new UpstreamRouter(catalogue.upstreams, {
    clock, ids, report: health,
    onReasoningRefused: (refusal) => log.warn(refusal, 'the upstream refuses this reasoning setting for this model; it is left out until the catalogue changes'),
  });
  const stopFollowing = catalogue.follow((upstreams) => router.replace(upstreams));
  return {
    catalogue,
    provider: router,
    observed: { circuits: () => router.circuits(), failures: upstreamLog.failures, health, definitions: () => catalogue.upstreams },
    close: async () => void await Promise.all([stopFollowing(), router.close()]),
  };
}
