import { type Clock, type Condition, type Instant, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import type { Reconciler } from '../background/reconciler.js';
import type { WaitingSettlements } from '../observability/state-metrics.js';
import type { LimiterHealth } from '../observability/limiter-health.js';
import type { ObservedUpstreams } from '../observability/upstream-metrics.js';

type AlertKind = 'circuit-open' | 'upstream-credentials' | 'store-unavailable' | 'limits-counted-locally' | 'settlements-waiting' | 'ledger-differences';

export interface LiveAlert {
  readonly kind: AlertKind;
  /** Upstream and model; `null` for the gateway. */
  readonly subject: string | null;
}

interface FailingUpstream {
  readonly kind: 'circuit-open' | 'upstream-credentials';
  readonly upstreamId: string;
  readonly upstreamModel: string;
}

interface LiveAlertPorts {
  readonly upstreams: ObservedUpstreams;
  readonly leaseKeeper: LeaseKeeper;
  readonly limiterHealth: LimiterHealth;
  readonly reconciler: Reconciler;
  readonly outbox: WaitingSettlements;
  readonly clock: Clock;
}

/** Current problems, from the state of this process. */
export class LiveAlerts {
  constructor(private readonly ports: LiveAlertPorts) {}

  current(): readonly LiveAlert[] {
    const { leaseKeeper, limiterHealth, reconciler, outbox } = this.ports;
    const alerts: LiveAlert[] = [...this.ofUpstreams()];
    const raise = (kind: AlertKind): void => void alerts.push({ kind, subject: null });
    if (leaseKeeper.storeState !== 'ok') raise('store-unavailable');
    if (limiterHealth.isLocal) raise('limits-counted-locally');
    if (outbox.waiting > 0) raise('settlements-waiting');
    if ((reconciler.last?.differences ?? 0) > 0) raise('ledger-differences');
    return alerts;
  }

  /** Current problems for which events are stored. */
  conditions(): readonly Condition[] {
    const ofUpstreams = this.failing().map(({ kind, upstreamId, upstreamModel }): Condition => (
      kind === 'circuit-open' ? { kind: 'upstream-down', upstreamId, upstreamModel } : { kind: 'credentials-refused', upstreamId }));
    return (this.ports.reconciler.last?.differences ?? 0) > 0 ? [...ofUpstreams, { kind: 'ledger-disagreement' }] : ofUpstreams;
  }

  private ofUpstreams(): readonly LiveAlert[] {
    return this.failing().map(({ kind, upstreamId, upstreamModel }) => ({ kind, subject: `${upstreamId} ${upstreamModel}` }));
  }

  private failing(): readonly FailingUpstream[] {
    const { upstreams, clock } = this.ports;
    const since = clock.now() - MILLISECONDS_PER_MINUTE;
    return upstreams.circuits().flatMap(({ upstreamId, upstreamModel, state }): readonly FailingUpstream[] => {
      if (state === 'open') return [{ kind: 'circuit-open', upstreamId, upstreamModel }];
      const { lastFailure } = upstreams.health.of(upstreamId, upstreamModel);
      return isRefusedCredential(lastFailure, since) ? [{ kind: 'upstream-credentials', upstreamId, upstreamModel }] : [];
    });
  }
}

function isRefusedCredential(failure: { readonly reason: string; readonly at: Instant } | null, since: number): boolean {
  return failure?.reason === 'bad-credentials' && failure.at > since;
}
