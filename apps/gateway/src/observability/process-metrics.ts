import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type AnyMetric, gauge, readCounter } from './metrics.js';

const SAMPLING_MILLISECONDS = 10;
const NANOSECONDS_PER_SECOND = 1e9;
const MICROSECONDS_PER_SECOND = 1e6;

/** Lag of the event loop: a measured delay less the sampling interval. */
function lagSeconds(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NANOSECONDS_PER_SECOND - SAMPLING_MILLISECONDS / 1000);
}

/** Metrics of the process. The event loop delay is measured between scrapes. */
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

  /** Must be called last, because it resets the measurement. */
  #maximum(): number {
    const seconds = lagSeconds(this.#delay.max);
    this.#delay.reset();
    return seconds;
  }
}
