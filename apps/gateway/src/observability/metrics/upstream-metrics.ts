import type { CircuitStatus, UpstreamDefinition } from '@tollgate/adapters-upstream';
import type { UpstreamHealth } from '../upstream-health.js';
import { Counter } from './counter.js';
import type { Metric } from './metric.js';

/** What is known of upstreams. */
export interface ObservedUpstreams {
  circuits(): readonly CircuitStatus[];
  readonly failures: Metric;
  readonly health: UpstreamHealth;
  /** The upstreams in force. */
  definitions(): readonly UpstreamDefinition[];
}

export type UpstreamFailureCounter = Counter<'upstream' | 'model' | 'reason'>;

export function upstreamFailureCounter(): UpstreamFailureCounter {
  return new Counter({ name: 'tollgate_upstream_failures_total', help: 'Calls that an upstream refused or failed.', labels: ['upstream', 'model', 'reason'] });
}

export function upstreamMetrics(upstreams: ObservedUpstreams): readonly Metric[] {
  const circuits: Metric = {
    name: 'tollgate_upstream_circuit_open',
    help: '1 while a model keeps failing at an upstream and takes no calls.',
    type: 'gauge',
    samples: () => upstreams.circuits().map(({ upstreamId, upstreamModel, state }) => ({
      suffix: '', labels: { upstream: upstreamId, model: upstreamModel }, value: state === 'open' ? 1 : 0,
    })),
  };
  return [circuits, upstreams.failures];
}
