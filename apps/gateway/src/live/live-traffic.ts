import { type Clock, type Instant, instant, MILLISECONDS_PER_SECOND, ServiceTokens, unixSeconds } from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';
import { FirstTokenTimes } from '../observability/upstream-health.js';
import { pathOf } from '../http/request-path.js';

/** Status that a request counts under whose client left before its reply began. No reply has it. */
const CLIENT_LEFT_STATUS = 499;

function statusOf(res: HttpExchange['res']): number {
  return res.headersSent ? res.statusCode : CLIENT_LEFT_STATUS;
}

/** Requests to the model routes that were over in one second. */
export class LiveSecond {
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

/** Seconds that are remembered. */
export const LIVE_SECONDS = 900;
/** Requests of one second that are kept one by one. */
export const MOST_LATEST = 20;

const MODEL_ROUTES = ['/v1/', '/dashboard/api/playground/'];

/** A request that is over, for the list of the latest. */
export interface LatestRequest {
  readonly exchange: HttpExchange;
  readonly endedAt: Instant;
}

export interface LatestRequests {
  readonly requests: readonly LatestRequest[];
  /** How many more there were. */
  readonly skipped: number;
}

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
    if (this.#latest.length >= MOST_LATEST) this.#latest.shift();
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
