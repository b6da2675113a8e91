import type { CallFacts, CircuitState, CircuitStatus, FailedCall, UpstreamDefinition, UpstreamReport } from '@tollgate/adapters-upstream';
import { type Clock, type Instant, later, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { Logger } from 'pino';
import type { UpstreamHealth } from './upstream-health.js';
import { Counter, type Metric } from './metrics.js';

/** What is known of upstreams. */
export interface ObservedUpstreams {
  circuits(): readonly CircuitStatus[];
  readonly failures: Metric;
  readonly health: UpstreamHealth;
  /** The upstreams in force. */
  definitions(): readonly UpstreamDefinition[];
}

type UpstreamFailureCounter = Counter<'upstream' | 'model' | 'reason'>;

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

export interface UpstreamLogPorts {
  readonly log: Logger;
  readonly clock: Clock;
}

/** Says of every failure and refusal of an upstream why, in one line, and counts them. */
export class UpstreamLog implements UpstreamReport {
  readonly failures: UpstreamFailureCounter = upstreamFailureCounter();
  /** When an upstream's credentials are complained of again. */
  readonly #alertAgainAt = new Map<string, Instant>();

  constructor(private readonly ports: UpstreamLogPorts) {}

  failed({ facts: { requestId, model, target }, failure, status, said }: FailedCall): void {
    const { upstreamId: upstream, upstreamModel } = target;
    this.failures.add(1, upstream, model.slug, failure.reason);
    this.ports.log.warn({
      requestId, upstream, model: model.slug, upstreamModel, status, reason: failure.reason, problem: failure.message, upstreamSaid: said,
    }, 'an upstream did not serve a request');
    if (failure.reason === 'bad-credentials') this.#alert(upstream);
  }

  circuitChanged({ target: { upstreamId: upstream, upstreamModel } }: CallFacts, state: CircuitState): void {
    if (state === 'open') this.ports.log.warn({ upstream, upstreamModel }, 'a model keeps failing at an upstream; calls to it are refused for 10 seconds');
    else this.ports.log.info({ upstream, upstreamModel }, 'a model works again at an upstream');
  }

  answered(): void {
    // Says nothing worth a line.
  }

  #alert(upstream: string): void {
    const now = this.ports.clock.now();
    if (now < (this.#alertAgainAt.get(upstream) ?? 0)) return;
    this.#alertAgainAt.set(upstream, later(now, MILLISECONDS_PER_MINUTE));
    this.ports.log.error({ upstream }, 'an upstream refuses the credentials of the gateway; nothing is served by it until they are corrected');
  }
}
