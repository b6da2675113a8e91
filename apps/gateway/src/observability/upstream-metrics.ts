import { Counter, Gauge } from '@prometheus-io/client';
import type { CircuitStatus } from '@tollgate/adapters-upstream';
import type { UpstreamDefinition } from '@tollgate/core';
import { type AnyMetric, UNREGISTERED } from './metrics.js';
import type { UpstreamHealth } from './upstream-health.js';

export interface ObservedUpstreams {
  circuits(): readonly CircuitStatus[];
  readonly failures: AnyMetric;
  readonly probes: AnyMetric;
  readonly emptyEvents: AnyMetric;
  readonly health: UpstreamHealth;
  /** The upstreams of the current catalogue. */
  definitions(): readonly UpstreamDefinition[];
}

export type UpstreamFailureCounter = Counter<'upstream' | 'model' | 'reason'>;

export function upstreamFailureCounter(): UpstreamFailureCounter {
  return new Counter({ name: 'tollgate_upstream_failures_total', help: 'Calls that an upstream refused or failed.', labelNames: ['upstream', 'model', 'reason'], ...UNREGISTERED });
}

export type UpstreamProbeCounter = Counter<'upstream' | 'model' | 'outcome'>;

export function upstreamProbeCounter(): UpstreamProbeCounter {
  return new Counter({ name: 'tollgate_upstream_probes_total', help: 'Calls of the gateway\'s own that decide whether a circuit breaker opens or closes.', labelNames: ['upstream', 'model', 'outcome'], ...UNREGISTERED });
}

export type EmptyEventCounter = Counter<'upstream' | 'model'>;

export function emptyEventCounter(): EmptyEventCounter {
  return new Counter({ name: 'tollgate_upstream_empty_events_total', help: 'Events without any content that were skipped in the replies of an upstream.', labelNames: ['upstream', 'model'], ...UNREGISTERED });
}

export function upstreamMetrics(upstreams: ObservedUpstreams): readonly AnyMetric[] {
  const circuits = new Gauge({
    name: 'tollgate_upstream_circuit_open', help: '1 while the circuit breaker of a model at an upstream is open.', labelNames: ['upstream', 'model'], ...UNREGISTERED,
    collect() {
      this.reset();
      for (const { upstreamId, upstreamModel, state } of upstreams.circuits()) this.set({ upstream: upstreamId, model: upstreamModel }, state === 'open' ? 1 : 0);
    },
  });
  return [circuits, upstreams.failures, upstreams.probes, upstreams.emptyEvents];
}
