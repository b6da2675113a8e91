import { type Booked, type BookingObserver, type Clock, type Instant, ServiceTokens, unixSeconds } from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';
import { pathOf } from '../http/request-target.js';
import { LiveSecond } from './live-second.js';

/** Seconds that are remembered. */
export const LIVE_SECONDS = 900;
/** Maximum number of requests of a second that are listed individually. */
const MAX_LATEST = 20;

const MODEL_ROUTES = ['/v1/', '/dashboard/api/playground/'];

/**
 * Counts this process's requests to model routes by second: a few additions per request, and no memory for seconds without one. Keeps
 * individual requests only while someone watches.
 */
export class LiveTraffic implements BookingObserver {
  readonly startedAt: Instant;
  readonly #seconds = new Map<number, LiveSecond>();
  #current: LiveSecond | null = null;
  #isWatched = false;
  #latest: LatestRequest[] = [];
  #ended = 0;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  /** Called once a request and its work have ended. */
  requestDone(exchange: HttpExchange): void {
    const path = pathOf(exchange.req.originalUrl);
    if (!MODEL_ROUTES.some((root) => path.startsWith(root))) return;
    const endedAt = this.clock.now();
    this.#secondOf(unixSeconds(endedAt)).add(exchange);
    if (this.#isWatched) this.#note({ exchange, endedAt });
  }

  /** Charges count in the second of their booking, including sweeps and late settlements. */
  booked({ served, amount }: Booked): void {
    if (served !== null && !amount.isZero()) this.#secondOf(unixSeconds(this.clock.now())).addCharge(ServiceTokens.ZERO.minus(amount));
  }

  /** Begins or ends keeping the latest requests. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.takeLatest();
  }

  /** Newest first. The list restarts after each call. */
  takeLatest(): LatestRequests {
    const requests = this.#latest.toReversed();
    const skipped = this.#ended - requests.length;
    this.#latest = [];
    this.#ended = 0;
    return { requests, skipped };
  }

  /** Seconds after `after` up to `last` with requests, oldest first; at most 900 seconds back. */
  between(after: number, last: number): readonly LiveSecond[] {
    const first = Math.max(after, last - LIVE_SECONDS);
    return [...this.#seconds.values()].filter(({ number }) => number > first && number <= last);
  }

  /** `number` must be a past second. */
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

/** An ended request, for the list of the newest. */
export interface LatestRequest {
  readonly exchange: HttpExchange;
  readonly endedAt: Instant;
}

export interface LatestRequests {
  readonly requests: readonly LatestRequest[];
  /** Number of further requests. */
  readonly skipped: number;
}
