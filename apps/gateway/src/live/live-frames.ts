import { type Clock, type Instant, MILLISECONDS_PER_MINUTE, rfc3339, type ServiceTokens } from '@tollgate/core';
import type { LatestRequest, LatestRequests, LiveSecond } from './live-traffic.js';
import type { LeaseKeeper } from '../background/leases.js';
import type { Reconciler } from '../background/reconciler.js';
import type { LimiterHealth } from '../observability/health-reports.js';
import type { WaitingSettlements } from '../observability/state-metrics.js';
import type { ObservedUpstreams } from '../observability/upstream-metrics.js';

/** What the gateway does at the moment of a tick. */
export interface LiveMoment {
  readonly running: number;
  /** Set aside for running generations. */
  readonly reserved: ServiceTokens;
}

function frame(event: string, data: unknown, id: number | null = null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function encodeSecond({ at, requests, charged, statuses, refusals, firstToken }: LiveSecond) {
  return {
    at: rfc3339(at), requests, svc_tokens: charged.toString(), codes: Object.fromEntries(statuses), refused: Object.fromEntries(refusals),
    first_token_ms: firstToken.quantiles(),
  };
}

/** `moment` is `null` for a second that has passed before. */
export function tickFrame(second: LiveSecond, moment: LiveMoment | null): string {
  const now = { running: moment?.running ?? null, reserved: moment?.reserved.toString() ?? null };
  return frame('tick', { ...encodeSecond(second), ...now, gateways: 1 }, second.number);
}

export interface SnapshotFrame {
  /** From when on requests are counted in it. */
  readonly since: Instant;
  /** The second that the next tick follows. */
  readonly last: number;
  readonly alerts: readonly LiveAlert[];
}

/** The seconds with requests of the last fifteen minutes. */
export function snapshotFrame(seconds: readonly LiveSecond[], { since, last, alerts }: SnapshotFrame): string {
  return frame('snapshot', { since: rfc3339(since), seconds: seconds.map(encodeSecond), alerts }, last);
}

export function requestsFrame({ requests, skipped }: LatestRequests): string {
  return frame('requests', { requests: requests.map(encodeLatest), skipped });
}

function encodeLatest({ exchange, endedAt }: LatestRequest) {
  const { requestId, endpoint, caller, outcome, refusal, res, startedAt } = exchange;
  const firstOutputAt = outcome?.ending.firstOutputAt ?? null;
  return {
    request_id: requestId, at: rfc3339(endedAt), endpoint, account_id: caller?.account.id ?? null, model: outcome?.ending.service?.servedBy ?? null,
    status: res.headersSent ? res.statusCode : null, code: refusal, end_reason: outcome?.ending.reason ?? null, svc_tokens: outcome?.settlement.charge.amount.toString() ?? null,
    duration_ms: endedAt - startedAt, first_token_ms: firstOutputAt === null ? null : firstOutputAt - startedAt,
  };
}

export function alertFrame({ kind, subject }: LiveAlert, state: 'raised' | 'ended', at: Instant): string {
  return frame('alert', { at: rfc3339(at), kind, subject, state });
}

export type AlertKind = 'circuit-open' | 'upstream-credentials' | 'store-unavailable' | 'limits-counted-locally' | 'settlements-waiting' | 'ledger-differences';

/** Something that an operator should look at. */
export interface LiveAlert {
  readonly kind: AlertKind;
  /** The upstream and the model that it is about; `null` where it is about the gateway. */
  readonly subject: string | null;
}

export interface LiveAlertPorts {
  readonly upstreams: ObservedUpstreams;
  readonly leaseKeeper: LeaseKeeper;
  readonly limiterHealth: LimiterHealth;
  readonly reconciler: Reconciler;
  /** `null` when no settlement ever waits. */
  readonly outbox: WaitingSettlements | null;
  readonly clock: Clock;
}

/** Reads from the state of this process what is wrong at the moment. */
export class LiveAlerts {
  constructor(private readonly ports: LiveAlertPorts) {}

  current(): readonly LiveAlert[] {
    const { leaseKeeper, limiterHealth, reconciler, outbox } = this.ports;
    const alerts: LiveAlert[] = [...this.ofUpstreams()];
    const raise = (kind: AlertKind): void => void alerts.push({ kind, subject: null });
    if (leaseKeeper.storeState !== 'ok') raise('store-unavailable');
    if (limiterHealth.isLocal) raise('limits-counted-locally');
    if ((outbox?.waiting ?? 0) > 0) raise('settlements-waiting');
    if ((reconciler.last?.differences ?? 0) > 0) raise('ledger-differences');
    return alerts;
  }

  private ofUpstreams(): readonly LiveAlert[] {
    const { upstreams, clock } = this.ports;
    const since = clock.now() - MILLISECONDS_PER_MINUTE;
    return upstreams.circuits().flatMap(({ upstreamId, upstreamModel, state }): readonly LiveAlert[] => {
      const subject = `${upstreamId} ${upstreamModel}`;
      if (state === 'open') return [{ kind: 'circuit-open', subject }];
      const { lastFailure } = upstreams.health.of(upstreamId, upstreamModel);
      return isRefusedCredential(lastFailure, since) ? [{ kind: 'upstream-credentials', subject }] : [];
    });
  }
}

function isRefusedCredential(failure: { readonly reason: string; readonly at: Instant } | null, since: number): boolean {
  return failure?.reason === 'bad-credentials' && failure.at > since;
}
