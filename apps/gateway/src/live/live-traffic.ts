import {
  type Clock, type Instant, instant, MILLISECONDS_PER_MINUTE, MILLISECONDS_PER_SECOND, rfc3339, ServiceTokens, unixSeconds,
} from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';
import { FirstTokenTimes, type ObservedUpstreams } from '../observability/upstream-health.js';
import { pathOf } from '../http/request-target.js';
import type { LeaseKeeper } from '../background/lease-keeper.js';
import type { Reconciler } from '../background/reconciler.js';
import type { LimiterHealth } from '../observability/health-reports.js';
import type { WaitingSettlements } from '../observability/gateway-metrics.js';

/** Seconds that are remembered. */
export const LIVE_SECONDS = 900;
/** Requests of one second that are kept one by one. */
const MAX_LATEST = 20;

const MODEL_ROUTES = ['/v1/', '/dashboard/api/playground/'];

/**
 * Counts the requests of this process to the model routes, by seconds: a few additions for each request, and no room for seconds without one.
 * Keeps single requests only while they are watched.
 */
export class LiveTraffic {
  readonly startedAt: Instant;
  readonly #seconds = new Map<number, LiveSecond>();
  #current: LiveSecond | null = null;
  #isWatched = false;
  #latest: LatestRequest[] = [];
  #ended = 0;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  /** Told of every request when nothing works for it any more. */
  requestDone(exchange: HttpExchange): void {
    const path = pathOf(exchange.req.originalUrl);
    if (!MODEL_ROUTES.some((root) => path.startsWith(root))) return;
    const endedAt = this.clock.now();
    this.#secondOf(unixSeconds(endedAt)).add(exchange);
    if (this.#isWatched) this.#note({ exchange, endedAt });
  }

  /** Begins or ends keeping the latest requests. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.takeLatest();
  }

  /** The newest first; those that follow begin a new list. */
  takeLatest(): LatestRequests {
    const requests = this.#latest.toReversed();
    const skipped = this.#ended - requests.length;
    this.#latest = [];
    this.#ended = 0;
    return { requests, skipped };
  }

  /** Those after `after` up to `last` in which a request ended, oldest first; at most 900 seconds back. */
  between(after: number, last: number): readonly LiveSecond[] {
    const first = Math.max(after, last - LIVE_SECONDS);
    return [...this.#seconds.values()].filter(({ number }) => number > first && number <= last);
  }

  /** `number` is that of a second in the past. */
  second(number: number): LiveSecond {
    return this.#seconds.get(number) ?? new LiveSecond(number);
  }

  #note(latest: LatestRequest): void {
    this.#ended += 1;
    if (this.#latest.length >= MAX_LATEST) this.#latest.shift();
    this.#latest.push(latest);
  }

  #secondOf(number: number): LiveSecond {
    if (this.#current?.number === number) return this.#current;
    for (const old of this.#seconds.keys()) {
      if (old > number - LIVE_SECONDS) break;
      this.#seconds.delete(old);
    }
    const known = this.#seconds.get(number) ?? new LiveSecond(number);
    this.#seconds.set(number, known);
    this.#current = known;
    return known;
  }
}

/** A request that is over, for the list of the latest. */
interface LatestRequest {
  readonly exchange: HttpExchange;
  readonly endedAt: Instant;
}

interface LatestRequests {
  readonly requests: readonly LatestRequest[];
  /** How many more there were. */
  readonly skipped: number;
}

/** Status that a request counts under whose client left before its reply began. No reply has it. */
const CLIENT_LEFT_STATUS = 499;

function statusOf(res: HttpExchange['res']): number {
  return res.headersSent ? res.statusCode : CLIENT_LEFT_STATUS;
}

/** Requests to the model routes that were over in one second. */
class LiveSecond {
  requests = 0;
  charged = ServiceTokens.ZERO;
  /** Of requests without an error, by HTTP status. */
  readonly statuses = new Map<number, number>();
  /** By the code of their error. */
  readonly refusals = new Map<string, number>();
  readonly firstToken = new FirstTokenTimes();

  /** Whole seconds since 1970. */
  constructor(readonly number: number) {}

  get at(): Instant {
    return instant(this.number * MILLISECONDS_PER_SECOND);
  }

  add({ res, refusal, outcome, startedAt }: HttpExchange): void {
    this.requests += 1;
    if (refusal === null) this.statuses.set(statusOf(res), (this.statuses.get(statusOf(res)) ?? 0) + 1);
    else this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1);
    if (outcome === null) return;
    this.charged = this.charged.plus(outcome.settlement.charge.amount);
    const { firstOutputAt } = outcome.ending;
    if (firstOutputAt !== null) this.firstToken.add(firstOutputAt - startedAt);
  }
}

/** What the gateway does at the moment of a tick. */
interface LiveMoment {
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

interface SnapshotFrame {
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

type AlertKind = 'circuit-open' | 'upstream-credentials' | 'store-unavailable' | 'limits-counted-locally' | 'settlements-waiting' | 'ledger-differences';

/** Something that an operator should look at. */
export interface LiveAlert {
  readonly kind: AlertKind;
  /** The upstream and the model that it is about; `null` where it is about the gateway. */
  readonly subject: string | null;
}

interface LiveAlertPorts {
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
