import { type AccountId, type ApiKeyId, type Booked, type BookingObserver, type Clock, type EndReason, type ErrorCode, type Instant, MILLISECONDS_PER_SECOND, type ModelSlug, ServiceTokens, unixSeconds } from '@tollgate/core';
import type { HttpExchange } from '../http/http-exchange.js';
import { pathOf } from '../http/request-target.js';
import { LiveSecond } from './live-second.js';

/** Number of seconds that are remembered. */
export const LIVE_SECONDS = 900;
/** Maximum number of requests of a second that are listed individually. */
const MAX_LATEST = 20;
/** Maximum number of newest requests with which a reader begins. */
const MAX_RECENT = 100;

const MODEL_ROUTES = ['/v1/', '/dashboard/api/playground/'];

/**
 * Counts this process's requests to model routes by second: a few additions per request, and no memory for seconds without one. Keeps the hundred
 * newest requests for new readers, and the requests of the current second while someone watches.
 */
export class LiveTraffic implements BookingObserver {
  readonly startedAt: Instant;
  readonly #seconds = new Map<number, LiveSecond>();
  #current: LiveSecond | null = null;
  #isWatched = false;
  #latest: LatestRequest[] = [];
  #ended = 0;
  /** A ring; its oldest entry is at `#nextRecent` once it is full. */
  readonly #recent: LatestRequest[] = [];
  #nextRecent = 0;

  constructor(private readonly clock: Clock) {
    this.startedAt = clock.now();
  }

  /** Called once a request and its work have ended. */
  requestDone(exchange: HttpExchange): void {
    const path = pathOf(exchange.req.originalUrl);
    if (!MODEL_ROUTES.some((root) => path.startsWith(root))) return;
    const endedAt = this.clock.now();
    this.#secondOf(unixSeconds(endedAt)).add(exchange);
    const request = latestOf(exchange, endedAt);
    this.#recent[this.#nextRecent] = request;
    this.#nextRecent = (this.#nextRecent + 1) % MAX_RECENT;
    if (this.#isWatched) this.#note(request);
  }

  /** Charges, including those of sweeps and late settlements, count in the second of their booking. */
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

  /** Requests of the last fifteen minutes, newest first, without those that the next `takeLatest` returns. */
  recent(): readonly LatestRequest[] {
    const since = this.clock.now() - LIVE_SECONDS * MILLISECONDS_PER_SECOND;
    const pending = new Set(this.#latest);
    const oldestFirst = [...this.#recent.slice(this.#nextRecent), ...this.#recent.slice(0, this.#nextRecent)];
    return oldestFirst.filter((request) => request.endedAt > since && !pending.has(request)).toReversed();
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

/** An ended request, for the list of the newest ones. Does not refer to its exchange, which would keep the request's body in memory. */
export interface LatestRequest {
  readonly requestId: string;
  readonly endedAt: Instant;
  readonly endpoint: string | null;
  readonly account: AccountId | null;
  readonly keyId: ApiKeyId | null;
  readonly model: ModelSlug | null;
  /** `null` without a reply. */
  readonly status: number | null;
  readonly refusal: ErrorCode | null;
  readonly endReason: EndReason | null;
  /** `null` if nothing was booked. */
  readonly charged: ServiceTokens | null;
  readonly milliseconds: number;
  readonly firstTokenMilliseconds: number | null;
}

function latestOf({ requestId, endpoint, caller, outcome, refusal, res, startedAt }: HttpExchange, endedAt: Instant): LatestRequest {
  const firstOutputAt = outcome?.ending.firstOutputAt ?? null;
  return {
    requestId, endedAt, endpoint, account: caller?.account.id ?? null, keyId: caller?.keyId ?? null, model: outcome?.ending.service?.servedBy ?? null, status: res.headersSent ? res.statusCode : null, refusal,
    endReason: outcome?.ending.reason ?? null, charged: outcome?.settlement.charge.amount ?? null, milliseconds: endedAt - startedAt,
    firstTokenMilliseconds: firstOutputAt === null ? null : firstOutputAt - startedAt,
  };
}

export interface LatestRequests {
  readonly requests: readonly LatestRequest[];
  /** Number of requests that are not listed. */
  readonly skipped: number;
}
