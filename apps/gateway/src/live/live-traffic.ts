import { type Booked, type BookingObserver, type Clock, type Instant, ServiceTokens, unixSeconds } from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';
import { pathOf } from '../http/request-target.js';
import { LiveSecond } from './live-second.js';

/** Seconds that are remembered. */
export const LIVE_SECONDS = 900;
/** Requests of one second that are kept one by one. */
const MAX_LATEST = 20;

const MODEL_ROUTES = ['/v1/', '/dashboard/api/playground/'];

/**
 * Counts the requests of this process to the model routes, by seconds: a few additions for each request, and no room for seconds without one.
 * Keeps single requests only while they are watched.
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

  /** Told of every request when nothing works for it any more. */
  requestDone(exchange: HttpExchange): void {
    const path = pathOf(exchange.req.originalUrl);
    if (!MODEL_ROUTES.some((root) => path.startsWith(root))) return;
    const endedAt = this.clock.now();
    this.#secondOf(unixSeconds(endedAt)).add(exchange);
    if (this.#isWatched) this.#note({ exchange, endedAt });
  }

  /** Charges count in the second in which they are booked, sweeps and late settlements among them. */
  booked({ served, amount }: Booked): void {
    if (served !== null && !amount.isZero()) this.#secondOf(unixSeconds(this.clock.now())).addCharge(ServiceTokens.ZERO.minus(amount));
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
export interface LatestRequest {
  readonly exchange: HttpExchange;
  readonly endedAt: Instant;
}

export interface LatestRequests {
  readonly requests: readonly LatestRequest[];
  /** How many more there were. */
  readonly skipped: number;
}
