import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Clock, type Instant, MILLISECONDS_PER_MINUTE } from '@tollgate/core';
import type { Logger } from 'pino';
import type { FallbackReport } from '@tollgate/adapters-redis';
import type { WalReport } from '@tollgate/sql-common';
import { type AnyMetric, gauge, readCounter } from './metrics.js';
import type { BodyReport } from '../http/body-budget.js';
import type { ConnectionBound, ConnectionReport } from '../http/server/connection-limits.js';

const MESSAGES: Readonly<Record<ConnectionBound, string>> = {
  total: 'MAX_CONNECTIONS is reached and no connection is idle; new ones are closed without a response',
  address: 'MAX_CONNECTIONS_PER_ADDRESS is reached and no connection of that address is idle; new ones are closed without a response',
};

/** Counts client connections and those refused. Logs at most once a minute for each bound that it is reached, with the number refused since. */
export class ConnectionHealth implements ConnectionReport {
  #open = 0;
  readonly #refused: Record<ConnectionBound, number> = { total: 0, address: 0 };
  readonly #closedIdle: Record<ConnectionBound, number> = { total: 0, address: 0 };
  readonly #logged: Record<ConnectionBound, { refused: number; at: Instant } | null> = { total: null, address: null };

  constructor(private readonly log: Logger, private readonly clock: Clock) {}

  get open(): number {
    return this.#open;
  }

  /** How many connections were refused, by the bound they would have exceeded. */
  get refusals(): Readonly<Record<ConnectionBound, number>> {
    return this.#refused;
  }

  /** How many idle connections were closed to make room for others, by the bound that was near. */
  get closedIdleConnections(): Readonly<Record<ConnectionBound, number>> {
    return this.#closedIdle;
  }

  closedIdle(bound: ConnectionBound): void {
    this.#closedIdle[bound] += 1;
  }

  opened(): void {
    this.#open += 1;
  }

  closed(): void {
    this.#open -= 1;
  }

  refused(bound: ConnectionBound, peer: string | null): void {
    this.#refused[bound] += 1;
    const now = this.clock.now();
    const last = this.#logged[bound];
    if (last !== null && now - last.at < MILLISECONDS_PER_MINUTE) return;
    const refused = this.#refused[bound];
    this.log.warn({ open: this.#open, refused: refused - (last?.refused ?? 0), peer }, MESSAGES[bound]);
    this.#logged[bound] = { refused, at: now };
  }
}

/** Counts bodies that are refused or cut off for lack of room. Logs at most once a minute that the gateway has no room for more. */
export class BodyHealth implements BodyReport {
  readonly #refused = { account: 0, gateway: 0 };
  #cut = 0;
  #logged: { readonly refused: number; readonly cut: number; readonly at: Instant } | null = null;

  constructor(private readonly log: Logger, private readonly clock: Clock) {}

  /** How many requests were refused, by the bound that had no room. */
  get refusals(): Readonly<Record<'account' | 'gateway', number>> {
    return this.#refused;
  }

  /** Uploads that were cut off to make room for others. */
  get cutUploads(): number {
    return this.#cut;
  }

  refusedBody(bound: 'account' | 'gateway'): void {
    this.#refused[bound] += 1;
    if (bound === 'gateway') this.#logOnceAMinute();
  }

  cutUpload(): void {
    this.#cut += 1;
    this.#logOnceAMinute();
  }

  #logOnceAMinute(): void {
    const now = this.clock.now();
    if (this.#logged !== null && now - this.#logged.at < MILLISECONDS_PER_MINUTE) return;
    const [refused, cut] = [this.#refused.gateway, this.#cut];
    this.log.warn({ refused: refused - (this.#logged?.refused ?? 0), cutOff: cut - (this.#logged?.cut ?? 0) }, 'BODY_BYTES_IN_FLIGHT is reached; slow uploads are cut off, and requests that still find no room are refused');
    this.#logged = { refused, cut, at: now };
  }
}

/** Whether limits that several gateways share are really shared at the moment. Logs when that changes. */
export class LimiterHealth implements FallbackReport {
  #isLocal = false;
  #fallbacks = 0;

  constructor(private readonly log: Logger) {}

  /** This process counts for itself, because Redis does not answer. Never so without Redis, where there is nothing to share. */
  get isLocal(): boolean {
    return this.#isLocal;
  }

  /** Switches to counting in memory. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  fellBack(cause: unknown, refusal: string | null): void {
    this.#isLocal = true;
    this.#fallbacks += 1;
    const what = refusal === null ? 'Redis does not answer; each gateway counts limits by itself until it does' : `Redis refuses to write: ${refusal}; each gateway counts limits by itself until it accepts`;
    this.log.error({ err: cause }, what);
  }

  recovered(): void {
    this.#isLocal = false;
    this.log.info('Redis answers; all gateways count limits together again');
  }
}

/** How the write-ahead log of the database file fares. Logs when it begins to fail, and when that is over. */
export class WalHealth implements WalReport {
  #pages: number | null = null;
  #failures = 0;
  #fallbacks = 0;
  #isFailing = false;

  constructor(private readonly log: Logger) {}

  /** Pages of the log at the last checkpoint or commit; `null` without a log. */
  get pages(): number | null {
    return this.#pages;
  }

  /** How often it could not be moved off the request path. */
  get failures(): number {
    return this.#failures;
  }

  /** Checkpoints by the main thread, while requests waited. */
  get fallbacks(): number {
    return this.#fallbacks;
  }

  grown(pages: number): void {
    this.#pages = pages;
  }

  walCheckpointed(): void {
    if (this.#isFailing) this.log.info('background checkpoints of the write-ahead log succeed again');
    this.#isFailing = false;
  }

  walCheckpointFailed(cause: unknown): void {
    this.#failures += 1;
    if (!this.#isFailing) this.log.error({ err: cause }, 'a background checkpoint of the write-ahead log failed; the gateway retries as the log grows');
    this.#isFailing = true;
  }

  fellBack(pages: number): void {
    this.#fallbacks += 1;
    this.log.warn({ pages }, 'the write-ahead log has grown very long; the main thread checkpoints it while requests wait');
  }
}

const SAMPLING_MILLISECONDS = 10;
const NANOSECONDS_PER_SECOND = 1e9;
const MICROSECONDS_PER_SECOND = 1e6;

/** How long the event loop was kept from its work, above what the sampling itself takes. */
function lagSeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS_PER_SECOND - SAMPLING_MILLISECONDS / 1000);
}

/** The process as its operating system and its runtime see it. The delay of the event loop is measured from one collection to the next. */
export class ProcessMetrics {
  readonly metrics: readonly AnyMetric[];
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLING_MILLISECONDS });

  constructor() {
    this.#delay.enable();
    this.metrics = [
      gauge({ name: 'tollgate_event_loop_lag_p50_seconds', help: 'Median event loop delay since the last scrape.' }, () => lagSeconds(this.#delay.percentile(50))),
      gauge({ name: 'tollgate_event_loop_lag_p99_seconds', help: '99th percentile of the event loop delay since the last scrape.' }, () => lagSeconds(this.#delay.percentile(99))),
      gauge({ name: 'tollgate_event_loop_lag_max_seconds', help: 'Maximum event loop delay since the last scrape.' }, () => this.#maximum()),
      readCounter({ name: 'process_cpu_seconds_total', help: 'User and system CPU time of the process.' }, () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / MICROSECONDS_PER_SECOND;
      }),
      gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory of the process.' }, () => process.memoryUsage.rss()),
      gauge({ name: 'nodejs_heap_size_used_bytes', help: 'Used heap of V8.' }, () => process.memoryUsage().heapUsed),
    ];
  }

  close(): void {
    this.#delay.disable();
  }

  /** The last of the three that is read, so that it begins the next measurement. */
  #maximum(): number {
    const seconds = lagSeconds(this.#delay.max);
    this.#delay.reset();
    return seconds;
  }
}
